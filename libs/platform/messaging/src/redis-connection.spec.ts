import { createServer, type AddressInfo, type Server } from 'node:net';
import { LazyRedis } from './redis-connection';

describe('A connection to Redis that opens with its first use', () => {
  let server: Server;
  let connections = 0;

  beforeAll(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void server.close());

  it('is not opened by a message that comes after it was closed', async () => {
    const { port } = server.address() as AddressInfo;
    const redis = new LazyRedis(`redis://127.0.0.1:${port}`, 'spec');
    await redis.close();
    await expect(redis.open()).rejects.toThrow('closed');
    expect(connections).toBe(0);
  });
});
