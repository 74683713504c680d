import { MIB, MINUTE_S, altered, bytesOf, sha256, upload, type Contract } from './backend';

const BODY = Buffer.from('The quick brown fox jumps over the lazy dog. '.repeat(40));
const REFUSED = [400, 403, 411, 413, 422];

/** Signed uploads of one body: what was signed is accepted, anything else is refused and stores nothing. */
export function uploadCases({ store, backend, able, key }: Contract): void {
  const promise = (name: string) => ({ key: name, size: BODY.length, expiresInSeconds: MINUTE_S });

  it('accepts the body that was signed and shows its entity tag', async () => {
    const name = key();
    const answer = await upload(await store().signPut({ ...promise(name), sha256: sha256(BODY), contentType: 'text/plain' }), BODY);
    expect(answer.status).toBe(200);
    const stat = await store().stat(name);
    expect(answer.headers.get('etag')).toBe(`"${stat?.etag}"`);
    expect(stat?.size).toBe(BODY.length);
    expect(await bytesOf(await store().get(name))).toEqual(BODY);
  });

  it('accepts an empty body', async () => {
    const name = key();
    expect((await upload(await store().signPut({ key: name, size: 0, expiresInSeconds: MINUTE_S }), Buffer.alloc(0))).status).toBe(200);
    expect(await store().stat(name)).toMatchObject({ size: 0 });
  });

  it.each([
    ['one byte more', Buffer.concat([BODY, Buffer.from('!')])],
    ['one byte less', BODY.subarray(1)],
    ['no bytes', Buffer.alloc(0)],
  ])('refuses a body of %s than was signed, and stores nothing', async (_, body) => {
    const name = key();
    expect(REFUSED).toContain((await upload(await store().signPut(promise(name)), body)).status);
    expect(await store().stat(name)).toBeNull();
  });

  it('refuses a longer body that does not announce its length', async () => {
    const name = key();
    const body = new Blob([BODY, BODY]).stream();
    const answer = await upload(await store().signPut(promise(name)), body).catch(() => null);
    if (answer) expect(REFUSED).toContain(answer.status);
    expect(await store().stat(name)).toBeNull();
  });

  it('leaves the old body in place when a new one is refused', async () => {
    const name = key();
    await store().putObject(name, BODY);
    await upload(await store().signPut(promise(name)), BODY.subarray(1));
    expect(await bytesOf(await store().get(name))).toEqual(BODY);
  });

  (able.checksums ? it : it.skip)('refuses other bytes of the same length when a SHA-256 was promised', async () => {
    const name = key();
    const other = Buffer.from(BODY).fill(0x2a, 0, 1);
    expect([400, 422]).toContain((await upload(await store().signPut({ ...promise(name), sha256: sha256(BODY) }), other)).status);
    expect(await store().stat(name)).toBeNull();
  });

  (able.createOnly ? it : it.skip)('refuses to overwrite when the upload was signed to create', async () => {
    const name = key();
    const signed = await store().signPut({ ...promise(name), createOnly: true });
    expect((await upload(signed, BODY)).status).toBe(200);
    expect((await upload(signed, BODY)).status).toBe(412);
  });

  it('refuses another content type than was signed', async () => {
    const name = key();
    const signed = await store().signPut({ ...promise(name), contentType: 'image/png' });
    expect((await upload(signed, BODY, { headers: { 'content-type': 'text/html' } })).status).toBe(403);
    expect((await upload(signed, BODY)).status).toBe(200);
  });

  it('refuses an expired URL', async () => {
    const name = key();
    const yesterday = { now: () => new Date(Date.now() - 10 * MIB), after: (ms: number) => new Date(Date.now() - 10 * MIB + ms) };
    const signed = await backend().storeAt(yesterday).signPut(promise(name));
    expect((await upload(signed, BODY)).status).toBe(403);
    expect(await store().stat(name)).toBeNull();
  });

  it('refuses a URL of which any part was changed', async () => {
    const name = key();
    const { url } = await store().signPut({ ...promise(name), sha256: sha256(BODY), contentType: 'text/plain' });
    const { headers } = await store().signPut({ ...promise(name), sha256: sha256(BODY), contentType: 'text/plain' });
    const parameters = [...new URL(url).searchParams.keys()];
    const forged = [
      ...parameters.map((parameter) =>
        altered(url, ({ searchParams }) => searchParams.set(parameter, flipped(searchParams.get(parameter) ?? ''))),
      ),
      ...parameters.map((parameter) => altered(url, ({ searchParams }) => searchParams.delete(parameter))),
      altered(url, (changed) => (changed.pathname = changed.pathname.replace(/object$/, 'objecu'))),
    ];
    for (const candidate of forged) {
      const { status } = await upload({ url: candidate, headers }, BODY);
      expect({ candidate, status, refused: [400, 403].includes(status) }).toMatchObject({ refused: true });
    }
    expect(await store().stat(name)).toBeNull();
    expect(await store().stat(name.replace(/object$/, 'objecu'))).toBeNull();
  });

  it('refuses an upload URL for any other method', async () => {
    const name = key();
    await store().putObject(name, BODY);
    const { url, headers } = await store().signPut(promise(name));
    for (const method of ['GET', 'DELETE', 'POST']) expect([403, 405, 501]).toContain((await fetch(url, { method, headers })).status);
    expect(await store().stat(name)).not.toBeNull();
  });

  it('lets one of two racing uploads win as a whole', async () => {
    const name = key();
    const bodies = [Buffer.alloc(MIB, 'a'), Buffer.alloc(MIB, 'b')];
    const answers = await Promise.all(bodies.map(async (body) => upload(await store().signPut({ ...promise(name), size: MIB }), body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(bodies.map(sha256)).toContain(sha256(await bytesOf(await store().get(name))));
  });
}

/** The value with its last letter or digit changed to another one. */
const flipped = (value: string): string => value.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => (last === '1' ? '2' : '1'));
