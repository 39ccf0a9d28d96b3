// The commands an operator types, but those that start the service: one file per group.
// Words of the command line enter; an answer on standard output leaves, or a refusal of one sentence.
// Each opens the store beside a running service or alone, and never leaves it open.
export { COMMANDS, ensureDemo, type MakeCommand } from './all-commands.ts';
