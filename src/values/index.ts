// Values of the internet that several rooms handle the same way: the network behind an address, names of this machine, cells of CSV.
// Texts as they arrive enter; texts to count by or to write into a table, and answers to "is it this machine", leave.
// Pure functions; any room may use them.
export { codeVersion } from './code-version.ts';
export { writeCsvCell } from './csv-cell.ts';
export { hostNetwork, siteNetwork } from './ip-network.ts';
export { isLoopbackHost } from './loopback.ts';
