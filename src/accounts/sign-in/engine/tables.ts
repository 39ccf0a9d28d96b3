/** Our columns by the names that better-auth has for them. */

export const COLUMNS = {
  /** `email` of the engine is the folded address: two that are the same are one account. */
  account: {
    email: 'email_lower',
    emailVerified: 'email_verified',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  session: {
    userId: 'account_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  credential: {
    userId: 'account_id',
    accountId: 'provider_account',
    providerId: 'provider',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  verification: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  twoFactor: {
    userId: 'account_id',
    backupCodes: 'backup_codes',
    failedVerificationCount: 'failures',
    lockedUntil: 'locked_until',
  },
  passkey: {
    userId: 'account_id',
    publicKey: 'public_key',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
} as const;

/** What the engine keeps for us and takes from nobody. */
export const EXTRA_ACCOUNT_FIELDS = {
  typedEmail: { type: 'string', fieldName: 'email', required: false, input: false },
  emailVerifiedAt: { type: 'date', fieldName: 'email_verified_at', required: false, input: false },
  status: { type: 'string', fieldName: 'status', required: false, input: false },
  isOperator: { type: 'boolean', fieldName: 'is_operator', required: false, input: false },
} as const;
