/** The table of settings. `docs/settings.md` is checked against it both ways. */

export interface Setting {
  name: string;
  /** As an operator reads it. */
  fallback: string;
  meaning: string;
  /** Never printed. */
  secret?: true;
  /** Opens the API of a provider; read through `keyOf` alone. */
  isProviderKey?: true;
}

export const SETTINGS = [
  { name: 'PORT', fallback: '3000', meaning: 'port of the service; 0 uses a free port' },
  { name: 'HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'MARQUEE_DATA_DIR', fallback: './data', meaning: 'folder of the embedded database, snapshots and keys' },
  { name: 'MARQUEE_PUBLIC_URL', fallback: 'http://HOST:PORT', meaning: 'base URL of links and public pages' },
  {
    name: 'MARQUEE_METRICS_PORT',
    fallback: '9464, or a free port',
    meaning: 'loopback port of /metrics; 0 uses a free port, off disables it',
  },
  {
    name: 'MARQUEE_TRUST_PROXY',
    fallback: 'none',
    meaning: 'proxies (comma-separated addresses or networks) whose X-Forwarded-For and X-Forwarded-Host are trusted',
  },
  {
    name: 'MARQUEE_ALLOWED_HOSTS',
    fallback: 'none',
    meaning: 'private hosts, host:port, addresses or networks (comma-separated) that sources may use',
  },
  {
    name: 'MARQUEE_CONTACT',
    fallback: 'MARQUEE_PUBLIC_URL',
    meaning: 'whom other sites may ask about requests, in their User-Agent: an email address, or an https URL',
  },
  {
    name: 'MARQUEE_GEOCODER',
    fallback: 'none',
    meaning: 'service that runs ask for addresses that no import knows: nominatim+https://… or photon+https://…',
  },
  {
    name: 'MARQUEE_NOW',
    fallback: 'real time',
    meaning: 'tests only: a fixed time for the directory, or an offset such as +36h',
  },
  { name: 'LOG_LEVEL', fallback: 'info', meaning: 'trace, debug, info, warn, error, fatal or silent' },
  { name: 'NODE_ENV', fallback: 'none', meaning: 'production rejects MARQUEE_NOW and shows no emails on pages' },
  { name: 'DATABASE_URL', fallback: 'embedded', meaning: 'PostgreSQL 15 or newer instead of the embedded store', secret: true },
  { name: 'REDIS_URL', fallback: 'in process', meaning: 'Redis or Valkey where several processes share limits', secret: true },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    fallback: 'none',
    meaning: 'collector (OTLP over HTTP) that gets traces and metrics, such as http://127.0.0.1:4318',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    fallback: 'none',
    meaning: 'headers for the collector: name=value, separated by commas',
    secret: true,
  },
  { name: 'OTEL_SERVICE_NAME', fallback: 'marquee', meaning: 'name of the service in traces and metrics' },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    fallback: '1',
    meaning: 'share of the traces that begin here and are sent, from 0 to 1',
  },
  {
    name: 'MARQUEE_SECRET',
    fallback: 'created once, kept in the data folder',
    meaning: 'signs sessions and tokens; 32 characters or more',
    secret: true,
  },
  { name: 'STRIPE_SECRET_KEY', fallback: 'none', meaning: 'billing through Stripe; manual billing without it', secret: true },
  { name: 'STRIPE_WEBHOOK_SECRET', fallback: 'none', meaning: 'signing secret of the webhook endpoint', secret: true },
  { name: 'STRIPE_PRICE_STARTER', fallback: 'none', meaning: 'id of the monthly price of Starter' },
  { name: 'STRIPE_PRICE_GROWTH', fallback: 'none', meaning: 'id of the monthly price of Growth' },
  { name: 'STRIPE_PRICE_ENTERPRISE', fallback: 'none', meaning: 'id of the monthly price of Enterprise' },
  {
    name: 'STRIPE_CHECKOUT_ORIGIN',
    fallback: 'Stripe',
    meaning: 'your own domain for Checkout and portal, such as https://pay.example.com',
  },
  { name: 'STRIPE_API_URL', fallback: 'Stripe', meaning: 'tests only: a server on this machine that imitates Stripe' },
  {
    name: 'TICKETMASTER_API_KEY',
    fallback: 'none',
    meaning: 'key of the Discovery API, for ticketmaster sources',
    secret: true,
    isProviderKey: true,
  },
  { name: 'SEATGEEK_CLIENT_ID', fallback: 'none', meaning: 'client id, for seatgeek sources', secret: true, isProviderKey: true },
  {
    name: 'EVENTBRITE_TOKEN',
    fallback: 'none',
    meaning: 'private token, for eventbrite sources',
    secret: true,
    isProviderKey: true,
  },
  { name: 'BANDSINTOWN_APP_ID', fallback: 'none', meaning: 'app id, for bandsintown sources', secret: true, isProviderKey: true },
  { name: 'OPENAGENDA_KEY', fallback: 'none', meaning: 'public key, for openagenda sources', secret: true, isProviderKey: true },
  {
    name: 'SOCRATA_APP_TOKEN',
    fallback: 'none',
    meaning: 'app token, for socrata sources; optional, raises the rate limit',
    secret: true,
    isProviderKey: true,
  },
  { name: 'EXPORT_URL', fallback: 'the data folder', meaning: 'storage of exports: s3://bucket/folder?region=…&endpoint=…' },
  { name: 'AWS_ACCESS_KEY_ID', fallback: 'none', meaning: 'key id for storage that speaks S3' },
  { name: 'AWS_SECRET_ACCESS_KEY', fallback: 'none', meaning: 'key for storage that speaks S3', secret: true },
  {
    name: 'MARQUEE_BACKUP_URL',
    fallback: 'none',
    meaning: 'where workers write scheduled backups: a folder, or s3://bucket/folder?region=…&endpoint=…',
  },
  { name: 'MARQUEE_BACKUP_EVERY', fallback: '1d', meaning: 'interval of scheduled backups, such as 6h or 1d' },
  { name: 'MARQUEE_BACKUP_KEEP', fallback: '7', meaning: 'how many complete scheduled backups are kept' },
  {
    name: 'SMTP_URL',
    fallback: 'none',
    meaning: 'mail server; without it emails become files in the data folder',
    secret: true,
  },
  {
    name: 'MARQUEE_MAIL_FROM',
    fallback: 'no-reply@ the public host',
    meaning: 'sender of emails: an address, or Name <address>',
  },
  {
    name: 'MARQUEE_SECURITY_CONTACT',
    fallback: 'none',
    meaning: 'whom to tell about a flaw, in /.well-known/security.txt: an address, or an https URL',
  },
  {
    name: 'MARQUEE_TILES',
    fallback: 'none',
    meaning: 'PMTiles file with vector tiles for the map; without it, neighborhoods are the base',
  },
  {
    name: 'MARQUEE_TILES_ATTRIBUTION',
    fallback: '© OpenStreetMap contributors',
    meaning: 'text on maps that says who made the data of MARQUEE_TILES',
  },
  {
    name: 'MARQUEE_SCANNER_KEYS',
    fallback: 'none',
    meaning: 'public keys (PEM, or a file of them) of trusted scanners for leaked keys',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]['name'];
