/** Addresses and errors as a page may show them: keys belong into the settings, but some put them into an address. */

/** Names and passwords of an address, and the values of parameters that are named like keys, become an ellipsis. */
export function redactKeys(text: string): string {
  return text.replace(CREDENTIALS, '$1…@').replace(KEY_PARAMETER, '$1…');
}

const CREDENTIALS = /(\bhttps?:\/\/)[^\s/?#@]+@/gi;
const KEY_PARAMETER =
  /([?&;#][^\s=&]*(?:key|token|secret|passw|pwd|auth|signature|sig|credential|app_?id|client_?id)[^\s=&]*=)[^\s&#]+/gi;
