import { Option } from 'commander';
import { TIER_NAMES } from '../accounts/index.ts';

/** `--tier` of a command; commander refuses what is not one. */
export const tierOption = (meaning: string): Option => new Option('--tier <tier>', meaning).choices(TIER_NAMES);
