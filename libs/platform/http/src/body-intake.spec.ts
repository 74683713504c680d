import 'reflect-metadata';
import { Policy, self } from '@atrium/platform/access';
import { loadSettings } from '@atrium/platform/config';
import { Post } from '@nestjs/common';
import type { Request } from 'express';
import { PassThrough } from 'node:stream';
import { BodyIntake, type BodyHolder } from './body-intake';

class Harbour {
  @Post() @Policy(self) depart(): void {}
  @Post() @Policy(self, { body: 1_000_000 }) load(): void {}
}

const intake = (): BodyIntake =>
  new BodyIntake(
    loadSettings({
      DATABASE_URL: 'postgres://x@127.0.0.1/x',
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      BODIES_OF_ADDRESS_BYTES: '100',
    }),
  );
const request = (headers: object = {}): PassThrough & Request & BodyHolder =>
  Object.assign(new PassThrough(), {
    headers: { 'content-type': 'application/json', ...headers },
    ip: '192.0.2.1',
    is: (types: string | string[]) => types.includes('application/json'),
  }) as unknown as PassThrough & Request & BodyHolder;
const read = (bodies: BodyIntake, of: Request & BodyHolder): Promise<void> => bodies.readBody(of, Harbour, Harbour.prototype.depart);

describe('the intake of bodies', () => {
  it('does not wait for a request that ended while its caller was looked up, and holds nothing for it', async () => {
    const ended = request();
    ended.on('error', () => undefined).destroy(new Error('aborted'));
    await expect(read(intake(), ended)).rejects.toMatchObject({ code: 'validation_failed' });
    expect(ended.arrived).toBeUndefined();
  });

  it.each([
    ['values than its operation takes', Harbour.prototype.depart, '32768 values', `[${'0,'.repeat(32_700)}${'[],'.repeat(44)}0]`],
    [
      'different names than any takes',
      Harbour.prototype.load,
      '32768 different names',
      `{${Array.from({ length: 40_000 }, (_, n) => `"k${n}":0`).join(',')}}`,
    ],
  ])('parses no body that has more %s', async (_what, handler, message, body) => {
    const bodies = new BodyIntake(
      loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }),
    );
    const parse = jest.spyOn(JSON, 'parse');
    const crowded = request();
    const refused = expect(bodies.readBody(crowded, Harbour, handler)).rejects.toMatchObject({
      code: 'payload_too_large',
      message: expect.stringContaining(message) as string,
    });
    crowded.end(body);
    await refused;
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('gives back the room of a body that breaks off, of one that is too large, and of one that is answered', async () => {
    const bodies = intake();
    const breaking = request();
    const broken = expect(read(bodies, breaking)).rejects.toMatchObject({ code: 'validation_failed' });
    breaking.write('x'.repeat(90));
    await new Promise((resolve) => setImmediate(resolve));
    const crowded = request();
    const refused = expect(read(bodies, crowded)).rejects.toMatchObject({ code: 'service_unavailable', headers: { 'Retry-After': '1' } });
    crowded.write('x'.repeat(20));
    await refused;
    breaking.destroy();
    await broken;

    const large = request();
    const tooLarge = expect(read(bodies, large)).rejects.toMatchObject({ code: 'payload_too_large' });
    large.write('x'.repeat(101));
    await tooLarge;
    await expect(read(bodies, request({ 'content-length': '101' }))).rejects.toMatchObject({ code: 'payload_too_large' });

    const whole = request();
    const done = read(bodies, whole);
    whole.end(`{"a":"${'x'.repeat(92)}"}`);
    await done;
    expect(whole.body).toEqual({ a: 'x'.repeat(92) });
    await expect(read(bodies, request({ 'content-length': '1' }))).rejects.toMatchObject({ code: 'service_unavailable' });
    whole.arrived?.release();
    const last = request();
    last.end('{}');
    await read(bodies, last);
  });
});
