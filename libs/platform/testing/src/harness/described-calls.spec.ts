import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from './client';
import { watchCalls } from './described-calls';

let server: Server;
let client: Client;
const sent = { body: '' };
beforeAll(async () => {
  watchCalls();
  server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(sent.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {});
});
afterAll(() => void server.close());

describe('a call of a test', () => {
  const undescribed = /does not describe this answer.*GET \/api\/v1\/albums 200/s;

  it('fails where the description does not say all of its answer, whatever the test expects', async () => {
    sent.body = '{"data":[],"has_more":false,"next_cursor":null,"colour":"red"}';
    await expect(client.get('/albums')).rejects.toThrow(undescribed);
    await expect(client.get('/albums?limit=1').expect(200)).rejects.toThrow(undescribed);
    await expect(client.get('/albums').expect(404)).rejects.toThrow('expected 404');
  });

  it('passes where it does', async () => {
    sent.body = '{"data":[],"has_more":false,"next_cursor":null}';
    expect((await client.get('/albums').expect(200)).body).toMatchObject({ data: [] });
  });
});
