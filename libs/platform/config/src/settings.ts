import { bool, cleanEnv, host, num, port, str, url } from 'envalid';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * Every environment variable the service reads: its type, default and meaning. The configuration table of the
 * README and `.env.example` are generated from this declaration.
 */
export const SETTINGS = {
  NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'production', desc: 'Kind of deployment.' }),
  HOST: host({ default: '0.0.0.0', desc: 'Address the API listens on.' }),
  PORT: port({ default: 3000, desc: 'Port the API listens on.' }),
  BASE_URL: str({
    default: '',
    desc: 'Public origin of the API, used in links and signed URLs of the disk store. Empty: http://localhost:PORT.',
    example: 'https://atrium.example.com',
  }),
  TRUSTED_PROXIES: str({
    default: '',
    desc: 'Comma-separated addresses or CIDR ranges whose X-Forwarded-For is believed.',
    example: '10.0.0.0/8',
  }),
  CORS_ORIGINS: str({ default: '*', desc: 'Comma-separated origins that browsers may call from; * for any (no cookies are used).' }),
  BODY_LIMIT_BYTES: num({ default: 10 * MIB, desc: 'Largest JSON body, in bytes.' }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    default: 'info',
    desc: 'Least severe level that is logged.',
  }),
  REQUEST_HEADERS_SECONDS: num({
    default: 15,
    desc: 'How long the headers of a request may take to arrive, in seconds; then the connection is closed.',
  }),
  REQUEST_BODY_SECONDS: num({
    default: 60,
    desc: 'How long a JSON body may take to arrive, and how long the bytes of a file may pause, in seconds; then the connection is closed.',
  }),
  KEEP_ALIVE_SECONDS: num({
    default: 75,
    desc: 'How long a connection is kept for its next request, in seconds; longer than the proxy before the API keeps its own (60 for nginx), so that it is never the API that closes first.',
  }),
  SHUTDOWN_DELAY_MS: num({
    default: 500,
    desc: 'How long a stopping API still takes requests, saying that it is not ready, in milliseconds; longer than the readiness interval of a load balancer before it.',
  }),
  OPERATOR_TOKENS: str({
    default: '',
    desc: 'Who may use /operator/v1: comma-separated name:sha256 pairs, as `atrium operator-token create` prints them. Empty: there is no operator API.',
    example: 'ops:(sha256 of the token, in hex)',
  }),
  OPERATOR_PORT: num({ default: 0, desc: 'Port of a listener of its own for /operator/v1; 0: it is served on PORT.' }),
  WORKER_PORT: num({
    default: 0,
    desc: 'Port on which a worker answers /metrics, /health/live and /health/ready, at HOST; 0: none.',
    example: '9464',
  }),
  METRICS_TOKEN: str({ default: '', desc: 'Bearer token that /metrics asks for; empty: loopback callers only.' }),

  DATABASE_URL: url({
    desc: 'PostgreSQL 15 to 18 as the restricted runtime role (atrium_app): owns nothing, no BYPASSRLS.',
    example: 'postgres://atrium_app:secret@db/atrium',
  }),
  DATABASE_LISTEN_URL: str({
    default: '',
    desc: 'PostgreSQL past the pooler, as the runtime role: for LISTEN, and for the queue where there is no Redis; empty: DATABASE_URL.',
    example: 'postgres://atrium_app:secret@db/atrium',
  }),
  DATABASE_OWNER_URL: str({
    default: '',
    desc: 'PostgreSQL as the owning role; read by `atrium migrate` alone.',
    example: 'postgres://atrium_owner:secret@db/atrium',
  }),
  DATABASE_POOL: num({ default: 20, desc: 'Connections each process keeps at most.' }),
  DATABASE_PREPARED: bool({ default: true, desc: 'Use named prepared statements (PgBouncer in transaction mode: needs 1.21 or later).' }),
  DATABASE_ACQUIRE_TIMEOUT_MS: num({ default: 5_000, desc: 'How long a request waits for a connection before 503, in milliseconds.' }),
  REDIS_URL: str({
    default: '',
    desc: 'Redis or Valkey for queues, signals, event streams and limits; empty: PostgreSQL does it.',
    example: 'redis://redis:6379',
  }),

  DATA_DIR: str({ default: '.data', desc: 'Folder of the disk object store and of the embedded PostgreSQL.' }),
  MASTER_KEY: str({
    desc: '32 random bytes in base64; credentials, signing keys and signed URLs are protected with keys derived from it.',
    example: '(openssl rand -base64 32)',
  }),
  S3_ENDPOINT: str({
    default: '',
    desc: 'S3 endpoint; empty: the disk store under DATA_DIR.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  }),
  S3_PUBLIC_ENDPOINT: str({ default: '', desc: 'S3 endpoint as clients reach it, when it differs from S3_ENDPOINT.' }),
  S3_REGION: str({ default: 'us-east-1', desc: 'S3 region.' }),
  S3_BUCKET: str({ default: 'atrium', desc: 'S3 bucket.' }),
  S3_ACCESS_KEY: str({ default: '', desc: 'S3 access key.' }),
  S3_SECRET_KEY: str({ default: '', desc: 'S3 secret key.' }),
  S3_PATH_STYLE: bool({ default: true, desc: 'Address the bucket in the path instead of the host name.' }),

  PUBLIC_URL: str({
    default: '',
    desc: 'Origin of published files and of pages for guests; empty: BASE_URL.',
    example: 'https://files.example.com',
  }),
  PUBLIC_BUCKET: str({
    default: '',
    desc: 'Bucket of published copies (at S3_ENDPOINT; a folder under DATA_DIR for the disk store); empty: beside all other objects, under pub/.',
  }),
  EDGE_COUNTRY_HEADER: str({
    default: '',
    desc: 'Header in which TRUSTED_PROXIES name the country of the client (two letters); from anybody else it is ignored.',
    example: 'CF-IPCountry',
  }),
  EDGE_CLOUDFLARE_ZONE: str({ default: '', desc: 'Cloudflare zone whose cache is purged when a publication changes; empty: none.' }),
  EDGE_CLOUDFLARE_TOKEN: str({ default: '', desc: 'Cloudflare API token with the permission Cache Purge.' }),
  EDGE_CLOUDFLARE_URL: str({ default: 'https://api.cloudflare.com', desc: 'Origin of the Cloudflare API.' }),
  EDGE_HTTP_URL: str({
    default: '',
    desc: 'Edge that is told of policies: PUT and DELETE at <this>/policies/<key>, POST at <this>/purge; empty: none.',
    example: 'https://edge.example.com/atrium',
  }),
  EDGE_HTTP_SECRET: str({ default: '', desc: 'Secret of the HMAC-SHA256 signatures (X-Atrium-Signature) on what EDGE_HTTP_URL is told.' }),
  GEOIP_DB: str({ default: '', desc: 'MaxMind database (.mmdb) with the countries of addresses.' }),
  GEOIP_CSV: str({
    default: '',
    desc: 'File of lines `network,country` (CIDR, two letters), asked where GEOIP_DB is not set or knows nothing.',
  }),

  WORKER_CONCURRENCY: num({ default: 4, desc: 'Jobs of one queue that a worker runs at once.' }),
  WORKER_LEASE_SECONDS: num({
    default: 15,
    desc: 'How long a job stays with a worker that gives no sign of life, in seconds (2 or more); then another takes it.',
  }),
  WORKER_OUTAGE_PAUSE_SECONDS: num({
    default: 300,
    desc: 'Longest pause of a job that waits for a part outside that is away (storage, scanner, models, mail …), in seconds; pauses begin at 2 seconds and double.',
  }),
  WORKER_OUTAGE_HOURS: num({ default: 24, desc: 'How long a job waits in all for a part outside that is away, in hours; then it fails.' }),
  MEDIA_PROCESSES: num({
    default: 0,
    desc: 'Files a worker looks into at once, each in a child process; files that take long go on in as many again. 0: as many as there are cores.',
  }),
  MEDIA_TIMEOUT_SECONDS: num({ default: 60, desc: 'Time one image may take, in seconds.' }),
  MEDIA_VECTOR_SECONDS: num({ default: 5, desc: 'Time one vector picture (SVG) may take, in seconds.' }),
  MEDIA_MEMORY_MIB: num({ default: 1024, desc: 'Memory one child process may take, in MiB.' }),
  UPLOAD_MAX_BYTES: num({ default: 20 * GIB, desc: 'Largest upload, in bytes.' }),
  UPLOAD_ALLOW_EXECUTABLES: bool({ default: false, desc: 'Accept programs (exe, dll, msi, …) as uploads.' }),
  CLAMD_ADDRESS: str({
    default: '',
    desc: 'Malware scanner (clamd) as host:port; empty: uploads are not scanned. Its StreamMaxLength bounds what it looks at.',
    example: 'clamav:3310',
  }),
  CLAMD_TIMEOUT_SECONDS: num({ default: 120, desc: 'Longest silence of the malware scanner, in seconds.' }),
  FILE_VERSIONS_MAX: num({ default: 100, desc: 'Versions kept of one file.' }),

  AUTH_ACCESS_TOKEN_SECONDS: num({ default: 900, desc: 'Life of an access token, in seconds.' }),
  AUTH_REFRESH_GRACE_SECONDS: num({ default: 0, desc: 'Seconds in which a spent refresh token presented again is no theft (0 to 60).' }),
  AUTH_PASSWORD_MEMORY_KIB: num({ default: 65_536, desc: 'Memory of one argon2id hash, in KiB.' }),

  MODEL_PROVIDER: str({
    default: 'default',
    desc: 'Name of the provider of models that the settings below describe: the first part of its model ids.',
    example: 'openai',
  }),
  MODEL_BASE_URL: str({
    default: '',
    desc: 'Endpoint of models that speaks the protocol of OpenAI, up to its version; empty: no such models. In a private network it must stand in OUTBOUND_ALLOW.',
    example: 'https://api.openai.com/v1',
  }),
  MODEL_API_KEY: str({ default: '', desc: 'Key for it; empty: none is sent.' }),
  MODEL_TEXT: str({ default: '', desc: 'Model there that writes text; empty: the local one.', example: 'gpt-5-mini' }),
  MODEL_VISION: str({
    default: '',
    desc: 'Model there that describes images; empty: fields of analyses that ask a model stay empty.',
    example: 'gpt-5-mini',
  }),
  MODEL_EMBEDDING: str({
    default: '',
    desc: 'Model that turns text into vectors for search by meaning; empty: the local one.',
    example: 'text-embedding-3-small',
  }),
  MODEL_EMBEDDING_PROTOCOL: str({
    choices: ['openai', 'ollama'],
    default: 'openai',
    desc: 'How it is asked: POST /embeddings of OpenAI, or POST /api/embed of Ollama.',
  }),
  MODEL_EMBEDDING_BASE_URL: str({
    default: '',
    desc: 'Endpoint of embeddings, when it is not MODEL_BASE_URL.',
    example: 'http://ollama:11434',
  }),
  MODEL_TIMEOUT_SECONDS: num({ default: 60, desc: 'How long one answer of a model may take, in seconds.' }),

  FACES_URL: str({
    default: '',
    desc: 'CompreFace service that finds faces; empty: faces are marked by people only. In a private network it must stand in OUTBOUND_ALLOW.',
    example: 'http://compreface:8000',
  }),
  FACES_API_KEY: str({ default: '', desc: 'API key of a detection service there.' }),
  FACES_MIN_PROBABILITY: num({ default: 0.8, desc: 'How sure it must be that something is a face, from 0 to 1.' }),
  FACES_TIMEOUT_SECONDS: num({ default: 30, desc: 'How long it may take for one picture, in seconds.' }),
  FACES_CLUSTER_SECONDS: num({
    default: 30,
    desc: 'How long after new faces they are sorted to people, in seconds; what comes meanwhile is sorted with them.',
  }),
  UNSPLASH_ACCESS_KEY: str({ default: '', desc: 'Access key of an Unsplash application; empty: no stock photos from there.' }),
  UNSPLASH_URL: str({ default: 'https://api.unsplash.com', desc: 'Origin of the Unsplash API.' }),
  PEXELS_API_KEY: str({ default: '', desc: 'Key of the Pexels API; empty: no stock photos from there.' }),
  PEXELS_URL: str({ default: 'https://api.pexels.com', desc: 'Origin of the Pexels API.' }),

  SMTP_URL: str({
    default: '',
    desc: 'Mail server as smtp://user:password@host:port (STARTTLS, demanded when there is a password) or smtps://…; empty: no mail, links are shown in answers.',
    example: 'smtp://atrium:secret@mail.example.com:587',
  }),
  MAIL_FROM: str({ default: 'Atrium <no-reply@localhost>', desc: 'Sender of mails.', example: 'Atrium <atrium@example.com>' }),
  APP_URL: str({
    default: '',
    desc: 'Origin of the web application that links in mails lead to; empty: BASE_URL.',
    example: 'https://app.example.com',
  }),

  RATE_LIMITS: str({
    default: '',
    desc: 'Requests a minute where they differ from the usual: read 1200, write 300, ai 60, upload 120, search 300, admin-report 60 a caller, auth 30 an address, workspace 6000 in all.',
    example: 'write=600,workspace=20000',
  }),
  API_INSTANCES: num({
    default: 1,
    desc: 'How many API processes share the rate limits; each counts for itself, so many times as strictly, while Redis is away.',
  }),
  OUTBOUND_ALLOW: str({
    default: '',
    desc: 'Comma-separated hosts or CIDR ranges that user-supplied addresses may reach although private.',
  }),
} as const;

export type SettingValues = ReturnType<typeof parse>;

/** A lease is kept up by halves of it: below this, a moment of garbage collection would lose one. */
const LEAST_LEASE_SECONDS = 2;

const parse = (env: Record<string, string | undefined>) =>
  cleanEnv(env, SETTINGS, {
    reporter: ({ errors }) => {
      const faults = Object.entries(errors).map(([name, error]) => `  ${name}: ${error?.message ?? 'invalid'}`);
      if (faults.length > 0) throw new Error(`The configuration is not valid:\n${faults.join('\n')}\nThe README lists every setting.`);
    },
  });

/** Settings by name, for values a provider reads once. The only reader of the process environment. */
export function loadSettings(env: Record<string, string | undefined> = process.env): SettingValues {
  const values = Object.freeze({ ...parse(env) });
  if (Buffer.from(values.MASTER_KEY, 'base64').length < 32) {
    throw new Error('The configuration is not valid:\n  MASTER_KEY: needs at least 32 bytes in base64 (openssl rand -base64 32)');
  }
  if (!(values.WORKER_LEASE_SECONDS >= LEAST_LEASE_SECONDS))
    throw new Error(`The configuration is not valid:\n  WORKER_LEASE_SECONDS: needs at least ${LEAST_LEASE_SECONDS}`);
  return values;
}

/** The comma-separated items of a list setting. */
export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
