import { useRouteLoaderData } from 'react-router';
import type { RootFacts } from '../model/root.ts';

/** What every page shares: the city, who reads it, and the chosen look. Absent where the root's own loader failed. */
export const useRoot = (): RootFacts | undefined => useRouteLoaderData('root');
