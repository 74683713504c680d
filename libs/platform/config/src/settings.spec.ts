import { publicOrigin } from './config.module';
import { listOf, loadSettings, SETTINGS } from './settings';

const ENOUGH = { DATABASE_URL: 'postgres://atrium_app:x@127.0.0.1:5432/atrium', MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };

describe('settings', () => {
  it('need only a database and a master key; the rest has defaults', () => {
    expect(loadSettings(ENOUGH)).toMatchObject({
      NODE_ENV: 'production',
      PORT: 3000,
      REDIS_URL: '',
      S3_ENDPOINT: '',
      BODY_LIMIT_BYTES: 10_485_760,
      DATABASE_PREPARED: true,
      OUTBOUND_ALLOW: '',
    });
  });

  it('have the type they were declared with', () => {
    expect(loadSettings({ ...ENOUGH, PORT: '8080', UPLOAD_ALLOW_EXECUTABLES: 'true' })).toMatchObject({
      PORT: 8080,
      UPLOAD_ALLOW_EXECUTABLES: true,
    });
  });

  it('point to the public addresses of external services unless they say otherwise', () => {
    expect(loadSettings(ENOUGH)).toMatchObject({
      STORYBLOK_BASE: '',
      CONTENTFUL_BASE: '',
      CONTENTFUL_UPLOAD_BASE: '',
      LINKEDIN_AUTH_BASE: 'https://www.linkedin.com/oauth/v2',
      LINKEDIN_API_BASE: 'https://api.linkedin.com',
      LINKEDIN_API_VERSION: '202607',
    });
    expect(loadSettings({ ...ENOUGH, STORYBLOK_BASE: 'http://127.0.0.1:8080/v1//' }).STORYBLOK_BASE).toBe('http://127.0.0.1:8080/v1');
  });

  it('may lead an authorization back to this machine without encryption', () => {
    const LINKEDIN_REDIRECT_URIS = 'https://app.example.com/back, http://localhost:3000/back,http://[::1]/back';
    expect(listOf(loadSettings({ ...ENOUGH, LINKEDIN_REDIRECT_URIS }).LINKEDIN_REDIRECT_URIS)).toHaveLength(3);
  });

  it('that are missing are all named at once', () => {
    expect(() => loadSettings({})).toThrow(/^The configuration is not valid:\n[^]*DATABASE_URL[^]*MASTER_KEY|MASTER_KEY[^]*DATABASE_URL/);
  });

  it.each([
    ['PORT', 'a lot'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'nowhere'],
    ['NODE_ENV', 'staging'],
    ['LOG_LEVEL', 'loud'],
    ['BODY_LIMIT_BYTES', 'ten'],
    ['S3_PATH_STYLE', 'perhaps'],
    ['STORYBLOK_BASE', 'mapi.storyblok.com'],
    ['CONTENTFUL_BASE', 'ftp://api.contentful.com'],
    ['CONTENTFUL_UPLOAD_BASE', 'https://upload.contentful.com/?a=1'],
    ['LINKEDIN_API_BASE', 'https://api.linkedin.com/#v2'],
    ['LINKEDIN_API_VERSION', '2026-07'],
    ['LINKEDIN_API_VERSION', '202613'],
    ['LINKEDIN_API_VERSION', ''],
    ['LINKEDIN_REDIRECT_URIS', 'https://app.example.com/back,javascript:alert(1)'],
    ['LINKEDIN_REDIRECT_URIS', 'http://app.example.com/back'],
    ['LINKEDIN_REDIRECT_URIS', 'https://app.example.com/back#here'],
    ['CMS_SYNC_INLINE_MAX', '-1'],
    ['CMS_SYNC_INLINE_MAX', ''],
    ['CMS_STALL_SECONDS', '1'],
    ['CMS_STALL_SECONDS', '2.5'],
    ['SOCIAL_LATE_MINUTES', '0'],
  ])('that are not valid are named: %s=%s', (name, value) => {
    expect(() => loadSettings({ ...ENOUGH, [name]: value })).toThrow(new RegExp(`^The configuration is not valid:\\n  ${name}: `));
  });

  it.each(['short', Buffer.alloc(31).toString('base64')])('refuse the master key "%s" and say how to make one', (MASTER_KEY) => {
    expect(() => loadSettings({ ...ENOUGH, MASTER_KEY })).toThrow(/MASTER_KEY/);
  });

  it('never show a secret in what they complain about', () => {
    const secret = 'c2hvcnQgc2VjcmV0';
    expect(() => loadSettings({ ...ENOUGH, MASTER_KEY: secret, PORT: 'x' })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining(secret) }),
    );
  });

  it('refuse a lease that is too short to be kept up', () => {
    for (const seconds of ['1', '0', '-5'])
      expect(() => loadSettings({ ...ENOUGH, WORKER_LEASE_SECONDS: seconds })).toThrow('WORKER_LEASE_SECONDS: needs at least 2');
    expect(loadSettings({ ...ENOUGH, WORKER_LEASE_SECONDS: '2' }).WORKER_LEASE_SECONDS).toBe(2);
  });

  it('cannot be changed', () => {
    const settings = loadSettings(ENOUGH);
    expect(() => Object.assign(settings, { PORT: 1 })).toThrow(TypeError);
  });

  it('each say what they are for', () => {
    for (const declaration of Object.values(SETTINGS))
      expect(declaration).toMatchObject({ desc: expect.stringMatching(/^[A-Z0-9].{8,}\.$/) });
  });

  it('name the origin of links, without a slash at its end', () => {
    expect(publicOrigin({ BASE_URL: 'https://atrium.example.com//', PORT: 1 })).toBe('https://atrium.example.com');
    expect(publicOrigin({ BASE_URL: '', PORT: 3001 })).toBe('http://localhost:3001');
  });

  it('hold lists as items between commas', () => {
    expect(listOf(' a, b ,,c ')).toEqual(['a', 'b', 'c']);
    expect(listOf('')).toEqual([]);
  });
});
