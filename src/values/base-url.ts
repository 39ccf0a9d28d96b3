/** The URL of a server on this machine, without a trailing slash. */
export const baseUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
