/** Whether an address leads to Marquee itself: a webhook there would answer its own changes. */

/** Names are ours on every port, addresses of machines on the service's own port alone. */
export function isOwnAddress(url: string, publicUrl: string): boolean {
  const [asked, own] = [new URL(url), new URL(publicUrl)];
  if (hostOf(asked) !== hostOf(own)) return false;
  return !IP_ADDRESS.test(hostOf(own)) || portOf(asked) === portOf(own);
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '').toLowerCase();
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');
const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
