/** Passkeys in the browser: JSON of the service to what `navigator.credentials` takes, and back (WebAuthn level 3 §5.1.8, 5.1.9). */

type Json = Record<string, unknown>;

/** Throws when the service refuses; the message is its sentence. */
export async function askPasskeyOptions(purpose: 'sign-in' | 'add'): Promise<Json> {
  const answer = await fetch('/passkeys/options', { method: 'POST', body: new URLSearchParams({ for: purpose }) });
  const body = (await answer.json()) as { options?: Json; detail?: string };
  if (answer.ok && body.options) return body.options;
  throw new PasskeyError(body.detail ?? 'The passkey did not work. Try again.');
}

export class PasskeyError extends Error {}

/** Rejects when the person or the device says no. */
export async function createPasskey(options: Json): Promise<Json> {
  const user = options.user as Json;
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...user, id: toBytes(user.id) },
    excludeCredentials: withIds(options.excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAttestationResponse;
  return toJson(credential, {
    clientDataJSON: toText(response.clientDataJSON),
    attestationObject: toText(response.attestationObject),
    transports: response.getTransports?.() ?? [],
  });
}

/** Rejects when the person or the device says no. */
export async function getPasskey(options: Json): Promise<Json> {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: withIds(options.allowCredentials),
  } as unknown as PublicKeyCredentialRequestOptions;
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  const response = credential.response as AuthenticatorAssertionResponse;
  return toJson(credential, {
    clientDataJSON: toText(response.clientDataJSON),
    authenticatorData: toText(response.authenticatorData),
    signature: toText(response.signature),
    ...(response.userHandle && { userHandle: toText(response.userHandle) }),
  });
}

function toJson(credential: PublicKeyCredential, response: Json): Json {
  return {
    id: credential.id,
    rawId: toText(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    authenticatorAttachment: credential.authenticatorAttachment,
    response,
  };
}

function withIds(credentials: unknown): Json[] {
  return ((credentials ?? []) as Json[]).map((credential) => ({ ...credential, id: toBytes(credential.id) }));
}

function toBytes(text: unknown): Uint8Array {
  const binary = atob(String(text).replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

function toText(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
