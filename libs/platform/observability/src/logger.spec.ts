import pino from 'pino';
import { createLogger, FrameworkLogger } from './logger';

type Line = Record<string, unknown>;

/** A logger that writes into a list instead of standard output. */
function listening(level = 'debug'): { lines: Line[]; logger: ReturnType<typeof createLogger> } {
  const lines: Line[] = [];
  const logger = createLogger(level, 'atrium-test');
  const { [pino.symbols.streamSym]: output } = logger as unknown as Record<symbol, object>;
  Object.assign(output!, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
  return { lines, logger };
}

const SECRETS = [
  'password',
  'token',
  'refresh_token',
  'access_token',
  'key_secret',
  'secret',
  'authorization',
  'x-api-key',
  'x-site-token',
  'cookie',
  'upl_url',
  'download_url',
  'invite_url',
];

describe('createLogger', () => {
  it('writes one JSON object a line, with time, level, service and process', () => {
    const { lines, logger } = listening();
    logger.info({ port: 3000 }, 'api listening');
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        service: 'atrium-test',
        pid: process.pid,
        port: 3000,
        msg: 'api listening',
      },
    ]);
  });

  it('leaves out what is below its level', () => {
    const { lines, logger } = listening('warn');
    logger.info('quiet');
    logger.warn('loud');
    expect(lines.map(({ msg }) => msg)).toEqual(['loud']);
  });

  it.each(SECRETS)('removes %s at every depth it promises', (name) => {
    const { lines, logger } = listening();
    const secret = { [name]: 'hunter2' };
    logger.info({ ...secret, one: { ...secret, two: secret } }, 'said');
    const hidden = { [name]: '[redacted]' };
    expect(lines[0]).toMatchObject({ ...hidden, one: { ...hidden, two: hidden } });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('removes a secret that is an object or a list as a whole', () => {
    const { lines, logger } = listening();
    logger.info({ token: { value: 'hunter2' }, headers: { cookie: ['hunter2'] } }, 'said');
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('removes secrets from the headers of a request, from children, and keeps what an error says', () => {
    const { lines, logger } = listening();
    logger
      .child({ password: 'hunter2', job: 'files.ingest' })
      .error({ err: Object.assign(new Error('failed'), { token: 'hunter2' }), req: { headers: { 'x-api-key': 'hunter2' } } }, 'failed');
    expect(lines[0]).toMatchObject({ job: 'files.ingest', err: { message: 'failed', type: 'Error' } });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });

  it('leaves the object it was given as it was', () => {
    const { logger } = listening();
    const body = { password: 'hunter2' };
    logger.info({ body }, 'said');
    expect(body).toEqual({ password: 'hunter2' });
  });
});

describe('FrameworkLogger', () => {
  it('says the framework’s own chatter quietly, its warnings and errors as what they are', () => {
    const { lines, logger } = listening();
    const framework = new FrameworkLogger(logger);
    framework.log('mapped a route', 'Router');
    framework.debug('a detail', 'Injector');
    framework.verbose('more of it', 'Injector');
    framework.warn('odd', 'Scanner');
    framework.error('broken', 'at line 1', 'Handler');
    expect(lines.map(({ level, msg, context }) => [level, msg, context])).toEqual([
      [20, 'mapped a route', 'Router'],
      [20, 'a detail', 'Injector'],
      [20, 'more of it', 'Injector'],
      [40, 'odd', 'Scanner'],
      [50, 'broken', 'Handler'],
    ]);
    expect(lines[4]).toMatchObject({ stack: 'at line 1' });
  });

  it('keeps the stack of an error', () => {
    const { lines, logger } = listening();
    new FrameworkLogger(logger).error(new Error('broken'), undefined, 'Handler');
    expect(lines[0]).toMatchObject({
      level: 50,
      msg: 'broken',
      context: 'Handler',
      err: { message: 'broken', stack: expect.stringContaining('logger.spec') },
    });
  });
});
