// Who may ask, and how much: accounts, keys, tiers, limits.
// An API key and an address enter the gate, a verdict with the allowance leaves it; every refusal is a value.
// Accounts are managed beside it; the gate learns of changes by following their list in the store.

export { type GateOptions, openGate } from './access/gate.ts';
export { countServingProcesses } from './access/serving-processes.ts';
export type { AccountListing } from './account-admin.ts';
export { type AccountAdmin, createAccountAdmin } from './account-admin.ts';
export { type ExpiringKey, loadExpiringKeys, loadQuotaUse, type QuotaUse } from './account-notices.ts';
export {
  announceAccount,
  loadActiveEmail,
  loadKeysOf,
  loadLivingSessions,
  loadOwnedSubscription,
  loadSubscriptions,
  lockAccount,
  ownedSubscriptions,
  statusOfAccount,
} from './account-rows.ts';
export { loadAccountTier, loadAccountTiers } from './account-tier.ts';
export { type Accounts, countAccounts, createAccounts } from './accounts.ts';
export {
  type AuditDetail,
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type AuditRow,
  listAudit,
  recordAudit,
} from './audit.ts';
export { readEmail } from './email.ts';
export { type CreatedKey, type Grace, type KeyListing, type KeyPlan, TRIAL_MS } from './keys/key-making.ts';
export type { KeyChoices, KeyPlanInput } from './keys/key-subscriptions.ts';
export type { KeyOwner } from './keys/keyring.ts';
export type { OwnKeys } from './keys/own-keys.ts';
export type { Counters, LimitDecision } from './limits/counters.ts';
export { createInFlight, type InFlight } from './limits/in-flight.ts';
export { createLimiter } from './limits/limiter.ts';
export { inspectRedis, openRedisLimits, type RedisLimits, type RedisLimitsFigures } from './limits/open-redis-limits.ts';
export { createMinuteWindows } from './limits/rolling-minute.ts';
export { createUnknownKeyLimiter } from './limits/unknown-key-limiter.ts';
export { lockSubscription, type Plan, type Subscription, writePlan } from './plan.ts';
export type { AccountReason } from './refusal.ts';
export { type Attempts, createAttempts, createRedisAttempts, giveBackAll, type Tries, takeAll } from './sign-in/attempts.ts';
export type { SignInCaller } from './sign-in/engine.ts';
export { createInvite } from './sign-in/invite.ts';
export { openSignIn, type SignIn, type SignInOptions } from './sign-in/open-sign-in.ts';
export type { PasskeyListing } from './sign-in/passkeys.ts';
export type { SignInField, SignInReason } from './sign-in/refusals.ts';
export { formatWait } from './sign-in/refusals.ts';
export {
  acceptSecret,
  bindingOf,
  checkSecret,
  checkStoredSecret,
  findSecret,
  readSecret,
  SecretError,
} from './sign-in/secret.ts';
export type { SessionListing, SignedIn } from './sign-in/sessions.ts';
export type { TwoFactorStart } from './sign-in/settings.ts';
export type { Verification } from './sign-in/sign-up.ts';
export { isTierName, TIER_EXTRAS, TIER_NAMES, TIERS, type TierName, tierOpens } from './tiers.ts';
export { readTrial, sendTrialEmails, type Trial } from './trial.ts';
export { usageCsv } from './usage/usage-csv.ts';
export {
  createUsageReports,
  forecastDay,
  type SubscriptionUsage,
  type UsageDetail,
  type UsageReports,
} from './usage/usage-report.ts';
export { cleanUpUsage } from './usage/usage-upkeep.ts';
export type { AccessVerdict, Allowance, Caller, Gate, RecordOutcome } from './verdict.ts';
