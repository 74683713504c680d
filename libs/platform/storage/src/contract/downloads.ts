import { MINUTE_S, altered, upload, type Contract } from './backend';

const BODY = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz');

/** Signed downloads: ranges, conditions, names, and the refusal of everything that was not signed. */
export function downloadCases({ store, backend, key }: Contract): void {
  const signedGet = async (
    request: { downloadName?: string; contentType?: string; disposition?: 'inline' | 'attachment' } = {},
  ): Promise<string> => {
    const name = key();
    await store().putObject(name, BODY, { contentType: 'text/html' });
    return store().signGet({ key: name, expiresInSeconds: MINUTE_S, disposition: 'attachment', ...request });
  };

  it('delivers the bytes with the type that was signed', async () => {
    const answer = await fetch(await signedGet({ contentType: 'image/png', disposition: 'inline' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/);
    expect(answer.headers.get('content-length')).toBe(String(BODY.length));
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(BODY);
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/xml', undefined])(
    'delivers %s as an attachment even when inline was asked',
    async (contentType) => {
      const answer = await fetch(await signedGet({ contentType, disposition: 'inline' }));
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(answer.headers.get('content-type')).toBe(contentType ?? 'application/octet-stream');
    },
  );

  it.each([
    ['plain.pdf', 'attachment; filename="plain.pdf"'],
    ['a "quoted"; name\\.txt', `attachment; filename="a _quoted__ name_.txt"; filename*=UTF-8''a%20%22quoted%22%3B%20name%5C.txt`],
    [
      "Überblick (5 €) 'neu'.txt",
      `attachment; filename="_berblick (5 _) 'neu'.txt"; filename*=UTF-8''%C3%9Cberblick%20%285%20%E2%82%AC%29%20%27neu%27.txt`,
    ],
    ['日本語🎉.jpg', `attachment; filename="____.jpg"; filename*=UTF-8''%E6%97%A5%E6%9C%AC%E8%AA%9E%F0%9F%8E%89.jpg`],
    ['line\r\nbreak: x.txt', 'attachment; filename="linebreak: x.txt"'],
  ])('names the download %j', async (downloadName, header) => {
    expect((await fetch(await signedGet({ downloadName }))).headers.get('content-disposition')).toBe(header);
  });

  it.each([
    ['bytes=0-4', '01234', 'bytes 0-4/36'],
    ['bytes=10-', 'abcdefghijklmnopqrstuvwxyz', 'bytes 10-35/36'],
    ['bytes=-3', 'xyz', 'bytes 33-35/36'],
    ['bytes=30-99', 'uvwxyz', 'bytes 30-35/36'],
  ])('answers the range %s with 206', async (range, text, contentRange) => {
    const answer = await fetch(await signedGet(), { headers: { range } });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(contentRange);
    expect(await answer.text()).toBe(text);
  });

  it('answers 416 for a range beyond the end', async () => {
    expect((await fetch(await signedGet(), { headers: { range: 'bytes=36-40' } })).status).toBe(416);
  });

  it('answers 304 to the entity tag it showed, and the new bytes after an overwrite', async () => {
    const name = key();
    await store().putObject(name, BODY);
    const url = await store().signGet({ key: name, expiresInSeconds: MINUTE_S, disposition: 'inline' });
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
    await store().putObject(name, BODY.subarray(1));
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('answers 404 when the object no longer exists', async () => {
    expect((await fetch(await store().signGet({ key: key(), expiresInSeconds: MINUTE_S, disposition: 'inline' }))).status).toBe(404);
  });

  it('refuses an expired URL', async () => {
    const name = key();
    await store().putObject(name, BODY);
    const anHourAgo = Date.now() - 3_600_000;
    const then = { now: () => new Date(anHourAgo), after: (ms: number) => new Date(anHourAgo + ms) };
    const url = await backend().storeAt(then).signGet({ key: name, expiresInSeconds: MINUTE_S, disposition: 'inline' });
    expect((await fetch(url)).status).toBe(403);
  });

  it('refuses a URL of which any part was changed or added', async () => {
    const url = await signedGet({ contentType: 'image/png', downloadName: 'name.png', disposition: 'inline' });
    const parameters = [...new URL(url).searchParams.keys()];
    const forged = [
      ...parameters.map((parameter) => altered(url, ({ searchParams }) => searchParams.set(parameter, `${searchParams.get(parameter)}1`))),
      altered(url, (changed) => (changed.pathname = changed.pathname.replace(/object$/, 'other'))),
      altered(url, ({ searchParams }) => searchParams.append('response-content-type', 'text/html')),
    ];
    for (const candidate of forged) {
      const { status } = await fetch(candidate);
      expect({ candidate, status, refused: [400, 403].includes(status) }).toMatchObject({ refused: true });
    }
  });

  it('refuses a download URL for writing', async () => {
    expect((await upload({ url: await signedGet(), headers: {} }, BODY)).status).toBe(403);
  });
}
