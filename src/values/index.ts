// Values of the internet that several rooms read the same way: the network behind an address, and names of this machine.
// Texts as they arrive enter; texts to count by, and answers to "is it this machine", leave.
// Pure functions; any room may use them.
export { hostNetwork, siteNetwork } from './ip-network.ts';
export { isLoopbackHost } from './loopback.ts';
