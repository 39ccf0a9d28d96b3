/** The request that the pages suggest first, for a shell. */

/** `key`: the whole key where it is at hand, else the variable that holds it. */
export function curlOf(publicUrl: string, key = '$MARQUEE_KEY'): string {
  return `curl -H "X-API-Key: ${key}" \\\n  '${publicUrl}/api/v1/events?limit=3'`;
}
