import { bool, cleanEnv, host, num, port, str, url } from 'envalid';
import { PUBLISHING_SETTINGS } from './publishing-settings';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/**
 * Every environment variable the service reads: its type, default and meaning. The configuration table of the
 * The tables of the README and the guide and `.env.example` are generated from this declaration.
 */
export const SETTINGS = {
  NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'production', desc: 'Kind of deployment.' }),
  HOST: host({ default: '0.0.0.0', desc: 'Address the API listens on.' }),
  PORT: port({ default: 3000, desc: 'Port the API listens on.' }),
  BASE_URL: str({
    default: '',
    desc: 'Public origin of the API, used in links and in signed URLs of the disk store. Empty: http://localhost:PORT.',
    example: 'https://atrium.example.com',
  }),
  TRUSTED_PROXIES: str({
    default: '',
    desc: 'Comma-separated addresses or CIDR ranges of proxies whose X-Forwarded-For header is trusted.',
    example: '10.0.0.0/8',
  }),
  CORS_ORIGINS: str({ default: '*', desc: 'Comma-separated origins that browsers may call from. *: any origin (no cookies are used).' }),
  BODY_LIMIT_BYTES: num({
    default: 10 * MIB,
    desc: 'Maximum size of a JSON body, in bytes. Most operations accept less; the API reference says how much.',
  }),
  BODIES_IN_FLIGHT_BYTES: num({
    default: 128 * MIB,
    desc: 'Bytes of JSON bodies that one process holds at the same time, each as it takes once it is read (up to 20 times what was sent). Further requests with a body are rejected with 503.',
  }),
  BODIES_OF_ADDRESS_BYTES: num({
    default: 16 * MIB,
    desc: 'The same for the bodies from one address (of IPv6: one /64). Use at least BODY_LIMIT_BYTES.',
  }),
  MAX_CONNECTIONS: num({
    default: 4_096,
    desc: 'Connections that one API process has open at the same time, half of them at most from one address (of IPv6: one /64) that is not among TRUSTED_PROXIES. Further ones are closed at once.',
  }),
  LOG_LEVEL: str({
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    default: 'info',
    desc: 'Lowest level that is logged.',
  }),
  REQUEST_HEADERS_SECONDS: num({
    default: 15,
    desc: 'Time in which the headers of a request must arrive, in seconds. Then the connection is closed.',
  }),
  REQUEST_BODY_SECONDS: num({
    default: 60,
    desc: 'Time in which a JSON body must arrive, and longest pause between the bytes of a file, in seconds. Then the connection is closed.',
  }),
  KEEP_ALIVE_SECONDS: num({
    default: 75,
    desc: 'How long an idle connection is kept open for the next request, in seconds. Use a longer time than the proxy in front of the API (60 for nginx), so that the API never closes a connection first.',
  }),
  SHUTDOWN_DELAY_MS: num({
    default: 500,
    desc: 'How long a stopping API still accepts requests while it reports that it is not ready, in milliseconds. Use a longer time than the readiness interval of your load balancer.',
  }),
  OPERATOR_TOKENS: str({
    default: '',
    desc: 'Tokens for /operator/v1: comma-separated name:sha256 pairs, as `atrium operator-token create` prints them. Empty: the operator API is off.',
    example: 'ops:(sha256 of the token, in hex)',
  }),
  OPERATOR_PORT: num({ default: 0, desc: 'Separate port for /operator/v1. 0: it is served on PORT.' }),
  WORKER_PORT: num({
    default: 0,
    desc: 'Port on which a worker serves /metrics, /health/live and /health/ready, at HOST. 0: none.',
    example: '9464',
  }),
  METRICS_TOKEN: str({ default: '', desc: 'Bearer token that /metrics requires. Empty: loopback callers only.' }),

  DATABASE_URL: url({
    desc: 'PostgreSQL 15 to 18, as the restricted runtime role (atrium_app), which owns nothing and does not have BYPASSRLS.',
    example: 'postgres://atrium_app:secret@db/atrium',
  }),
  DATABASE_LISTEN_URL: str({
    default: '',
    desc: 'Direct connection to PostgreSQL, without a pooler, as the runtime role: for LISTEN, and for the queue when there is no Redis. Empty: DATABASE_URL.',
    example: 'postgres://atrium_app:secret@db/atrium',
  }),
  DATABASE_OWNER_URL: str({
    default: '',
    desc: 'PostgreSQL as the role that owns the schema. Only `atrium migrate` reads it.',
    example: 'postgres://atrium_owner:secret@db/atrium',
  }),
  DATABASE_POOL: num({ default: 20, desc: 'Maximum number of database connections per process.' }),
  DATABASE_PREPARED: bool({
    default: true,
    desc: 'Use named prepared statements. PgBouncer in transaction mode supports them from version 1.21.',
  }),
  DATABASE_ACQUIRE_TIMEOUT_MS: num({
    default: 5_000,
    desc: 'How long a request waits for a database connection before it is rejected with 503, in milliseconds.',
  }),
  REDIS_URL: str({
    default: '',
    desc: 'Redis or Valkey for queues, signals, event streams and rate limits. Empty: PostgreSQL is used.',
    example: 'redis://redis:6379',
  }),

  DATA_DIR: str({ default: '.data', desc: 'Folder of the disk object store and the embedded PostgreSQL.' }),
  MASTER_KEY: str({
    desc: '32 random bytes in base64. Credentials, signing keys and signed URLs are protected with keys derived from it.',
    example: '(openssl rand -base64 32)',
  }),
  S3_ENDPOINT: str({
    default: '',
    desc: 'S3 endpoint. Empty: files are stored on disk, under DATA_DIR.',
    example: 'https://s3.eu-central-1.amazonaws.com',
  }),
  S3_PUBLIC_ENDPOINT: str({ default: '', desc: 'S3 endpoint as clients reach it, if it differs from S3_ENDPOINT.' }),
  S3_REGION: str({ default: 'us-east-1', desc: 'S3 region.' }),
  S3_BUCKET: str({ default: 'atrium', desc: 'S3 bucket.' }),
  S3_ACCESS_KEY: str({ default: '', desc: 'S3 access key.' }),
  S3_SECRET_KEY: str({ default: '', desc: 'S3 secret key.' }),
  S3_PATH_STYLE: bool({ default: true, desc: 'Put the bucket into the path of the URL instead of the host name.' }),

  PUBLIC_URL: str({
    default: '',
    desc: 'Origin of published files and of pages for guests. Empty: BASE_URL.',
    example: 'https://files.example.com',
  }),
  PUBLIC_BUCKET: str({
    default: '',
    desc: 'Bucket of published copies, at S3_ENDPOINT (for the disk store: a folder under DATA_DIR). Empty: the bucket of all other objects, under pub/.',
  }),
  EDGE_COUNTRY_HEADER: str({
    default: '',
    desc: 'Header in which TRUSTED_PROXIES name the country of the client (two letters). From other senders it is ignored.',
    example: 'CF-IPCountry',
  }),
  EDGE_CLOUDFLARE_ZONE: str({ default: '', desc: 'Cloudflare zone whose cache is purged when a publication changes. Empty: none.' }),
  EDGE_CLOUDFLARE_TOKEN: str({ default: '', desc: 'Cloudflare API token with the permission Cache Purge.' }),
  EDGE_CLOUDFLARE_URL: str({ default: 'https://api.cloudflare.com', desc: 'Origin of the Cloudflare API.' }),
  EDGE_HTTP_URL: str({
    default: '',
    desc: 'Edge that receives policies: PUT and DELETE at <this>/policies/<key>, POST at <this>/purge. Empty: none.',
    example: 'https://edge.example.com/atrium',
  }),
  EDGE_HTTP_SECRET: str({ default: '', desc: 'Secret of the HMAC-SHA256 signatures (X-Atrium-Signature) on requests to EDGE_HTTP_URL.' }),
  GEOIP_DB: str({ default: '', desc: 'MaxMind database (.mmdb) that maps addresses to countries.' }),
  GEOIP_CSV: str({
    default: '',
    desc: 'File of lines `network,country` (CIDR, two letters), used when GEOIP_DB is not set or does not contain the address.',
  }),

  WORKER_CONCURRENCY: num({ default: 4, desc: 'Number of jobs of one queue that a worker runs at the same time.' }),
  WATCHDOG_SECONDS: num({
    default: 10,
    desc: 'How long one piece of work may keep a host from doing anything else, in seconds. Then the host exits with code 70, and its supervisor has to start it again. Work that does this twice is refused. 0: hosts are never ended.',
  }),
  WORKER_LEASE_SECONDS: num({
    default: 15,
    desc: 'How long a job stays assigned to a worker that no longer responds, in seconds (2 or more). Then another worker takes it.',
  }),
  WORKER_OUTAGE_PAUSE_SECONDS: num({
    default: 300,
    desc: 'Longest pause between attempts of a job that waits for an unavailable external service (storage, scanner, models, mail …), in seconds. Pauses start at 2 seconds and double.',
  }),
  WORKER_OUTAGE_HOURS: num({
    default: 24,
    desc: 'How long a job waits in total for an unavailable external service, or because its workers have ended, in hours. Then it fails.',
  }),
  MEDIA_PROCESSES: num({
    default: 0,
    desc: 'Number of files a worker inspects at the same time, each in a child process. Files that take long continue in as many additional processes. Fewer where PROCESSES_MEMORY_MIB has no room for them. 0: the number of cores.',
  }),
  MEDIA_TIMEOUT_SECONDS: num({ default: 60, desc: 'Time limit for one image, in seconds.' }),
  MEDIA_VECTOR_SECONDS: num({ default: 5, desc: 'Time limit for one vector image (SVG), in seconds.' }),
  MEDIA_MEMORY_MIB: num({ default: 1024, desc: 'Memory limit of one child process, in MiB.' }),
  PROCESSES_MEMORY_MIB: num({
    default: 0,
    desc: 'Memory that the child processes of one kind may hold together, in MiB: in a worker those that look into files, read their text and read pages, in an API those that read texts of requests (512 MiB each). There are no more of them than fit, and at least two. 0: a quarter of the memory of the machine or container.',
  }),
  UPLOAD_MAX_BYTES: num({ default: 20 * GIB, desc: 'Maximum size of an upload, in bytes.' }),
  UPLOAD_ALLOW_EXECUTABLES: bool({ default: false, desc: 'Accept programs (exe, dll, msi, …) as uploads.' }),
  CLAMD_ADDRESS: str({
    default: '',
    desc: 'Malware scanner (clamd) as host:port. Empty: uploads are not scanned. The scanner reads up to its own StreamMaxLength.',
    example: 'clamav:3310',
  }),
  CLAMD_TIMEOUT_SECONDS: num({ default: 120, desc: 'How long the malware scanner may take to respond, in seconds.' }),
  FILE_VERSIONS_MAX: num({ default: 100, desc: 'Number of versions kept per file.' }),

  AUTH_ACCESS_TOKEN_SECONDS: num({ default: 900, desc: 'Lifetime of an access token, in seconds.' }),
  AUTH_REFRESH_GRACE_SECONDS: num({
    default: 0,
    desc: 'How long a used refresh token may be sent again without being treated as stolen, in seconds (0 to 60).',
  }),
  AUTH_PASSWORD_MEMORY_KIB: num({ default: 65_536, desc: 'Memory used by one argon2id hash, in KiB.' }),

  MODEL_PROVIDER: str({
    default: 'default',
    desc: 'Name of the model provider that the settings below describe. It is the first part of its model ids.',
    example: 'openai',
  }),
  MODEL_BASE_URL: str({
    default: '',
    desc: 'Model endpoint compatible with the OpenAI API, including its version. Empty: no such models. An endpoint in a private network must be listed in OUTBOUND_ALLOW.',
    example: 'https://api.openai.com/v1',
  }),
  MODEL_API_KEY: str({ default: '', desc: 'API key for MODEL_BASE_URL. Empty: no key is sent.' }),
  MODEL_TEXT: str({ default: '', desc: 'Model that writes text. Empty: the local model.', example: 'gpt-5-mini' }),
  MODEL_VISION: str({
    default: '',
    desc: 'Model that describes images. Empty: analysis fields that need a model stay empty.',
    example: 'gpt-5-mini',
  }),
  MODEL_EMBEDDING: str({
    default: '',
    desc: 'Model that turns text into vectors for semantic search. Empty: the local model.',
    example: 'text-embedding-3-small',
  }),
  MODEL_EMBEDDING_PROTOCOL: str({
    choices: ['openai', 'ollama'],
    default: 'openai',
    desc: 'Protocol of the embedding endpoint: POST /embeddings (openai) or POST /api/embed (ollama).',
  }),
  MODEL_EMBEDDING_BASE_URL: str({
    default: '',
    desc: 'Endpoint of the embedding model. Empty: MODEL_BASE_URL.',
    example: 'http://ollama:11434',
  }),
  MODEL_TIMEOUT_SECONDS: num({
    default: 60,
    desc: 'Time limit for one response of a model, in seconds; for one that streams, the longest silence.',
  }),
  AI_LOCAL_DELAY_MS: num({ default: 0, desc: 'Pause of the local model between three words of an answer, in milliseconds.' }),

  AI_TENANT_CONCURRENCY: num({ default: 20, desc: 'Runs of agents that one workspace has at work at once; others wait.' }),

  FACES_URL: str({
    default: '',
    desc: 'CompreFace service that detects faces. Empty: faces are marked by people only. A service in a private network must be listed in OUTBOUND_ALLOW.',
    example: 'http://compreface:8000',
  }),
  FACES_API_KEY: str({ default: '', desc: 'API key of a detection service in CompreFace.' }),
  FACES_MIN_PROBABILITY: num({ default: 0.8, desc: 'Minimum probability of a detected face, from 0 to 1.' }),
  FACES_TIMEOUT_SECONDS: num({ default: 30, desc: 'Time limit for face detection in one image, in seconds.' }),
  FACES_CLUSTER_SECONDS: num({
    default: 30,
    desc: 'Delay before new faces are assigned to people, in seconds. Faces found during the delay are assigned together.',
  }),
  UNSPLASH_ACCESS_KEY: str({ default: '', desc: 'Access key of an Unsplash application. Empty: no stock photos from Unsplash.' }),
  UNSPLASH_URL: str({ default: 'https://api.unsplash.com', desc: 'Origin of the Unsplash API.' }),
  PEXELS_API_KEY: str({ default: '', desc: 'Key of the Pexels API. Empty: no stock photos from Pexels.' }),
  PEXELS_URL: str({ default: 'https://api.pexels.com', desc: 'Origin of the Pexels API.' }),

  ...PUBLISHING_SETTINGS,

  SMTP_URL: str({
    default: '',
    desc: 'Mail server as smtp://user:password@host:port (STARTTLS, required with a password) or smtps://… Empty: no mail is sent and links are shown in responses.',
    example: 'smtp://atrium:secret@mail.example.com:587',
  }),
  MAIL_FROM: str({ default: 'Atrium <no-reply@localhost>', desc: 'Sender of emails.', example: 'Atrium <atrium@example.com>' }),
  APP_URL: str({
    default: '',
    desc: 'Origin of the web application that links in emails lead to. Empty: BASE_URL.',
    example: 'https://app.example.com',
  }),

  RATE_LIMITS: str({
    default: '',
    desc: 'Rate limits that differ from the defaults, in requests per minute. Defaults: read 1200, write 300, ai 60, upload 120, search 300 and admin-report 60 per caller; auth 30 per address; workspace 6000 in total.',
    example: 'write=600,workspace=20000',
  }),
  API_INSTANCES: num({
    default: 1,
    desc: 'Number of API processes. While Redis is unavailable, each process counts requests by itself and applies its share of the rate limits.',
  }),
  OUTBOUND_ALLOW: str({
    default: '',
    desc: 'Comma-separated hosts or CIDR ranges in private networks that user-supplied addresses may reach.',
  }),
} as const;

export type SettingValues = ReturnType<typeof parse>;

/** A lease is renewed after half its time: below this, one long garbage collection could lose it. */
const LEAST_LEASE_SECONDS = 2;

const parse = (env: Record<string, string | undefined>) =>
  cleanEnv(env, SETTINGS, {
    reporter: ({ errors }) => {
      const faults = Object.entries(errors).map(([name, error]) => `  ${name}: ${error?.message ?? 'invalid'}`);
      if (faults.length > 0)
        throw new Error(`The configuration is not valid:\n${faults.join('\n')}\ndocs/guide/configuration.md lists every setting.`);
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
