import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What a client of PostgreSQL sends to ask for encryption. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** A certificate for 127.0.0.1 that nobody signed but itself; it guards nothing but tests. */
export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBojCCAUigAwIBAgIUFBhril2j57oTuP2PpsJl3lgMOlIwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSRGF0YWJhc2Ugb2YgYSB0ZXN0MCAXDTI2MTEyMzE3MjcyM1oY
DzIxMjYxMDMwMTcyNzIzWjAdMRswGQYDVQQDDBJEYXRhYmFzZSBvZiBhIHRlc3Qw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASq3xQcLs1GwDvE7w6wHnBD6oR2paWM
kx4LM5WXymDGgnS6UZ5Ff57afBbpOLPa6PxYMQ3sF+7i1LeMSRzzJqQVo2QwYjAd
BgNVHQ4EFgQUyKGD8y56XyG3p19CzV6qdRC1+HMwHwYDVR0jBBgwFoAUyKGD8y56
XyG3p19CzV6qdRC1+HMwDwYDVR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAAB
MAoGCCqGSM49BAMCA0gAMEUCIFTC/nO7MVji7ODiypUJKwt24HZco9mAEeSD4Jwm
xfwJAiEAsUJi2tEDj7aMIhXOIFaORLlGL4ETr9sFwNW7mnwxigk=
-----END CERTIFICATE-----
`;
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwgKyXSLWfoWtlqFW
JUNWxVStzMV0rBn3ofyiTa+GCCuhRANCAASq3xQcLs1GwDvE7w6wHnBD6oR2paWM
kx4LM5WXymDGgnS6UZ5Ff57afBbpOLPa6PxYMQ3sF+7i1LeMSRzzJqQV
-----END PRIVATE KEY-----
`;

/** Encrypted connections in front of a PostgreSQL server that has none. */
export class TlsFront {
  private readonly open = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(behind: { readonly host: string; readonly port: number }): Promise<TlsFront> {
    const server = createServer();
    const front = new TlsFront(server);
    server.on('connection', (socket: Socket) => front.serve(socket, behind));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return front;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((done) => this.server.close(done));
  }

  private serve(socket: Socket, behind: { readonly host: string; readonly port: number }): void {
    this.kept(socket);
    socket.once('data', (asked: Buffer) => {
      if (!asked.equals(SSL_REQUEST)) return void socket.destroy();
      socket.write('S');
      const encrypted = new TLSSocket(socket, { isServer: true, cert: TEST_CERTIFICATE, key: TEST_KEY });
      const server = this.kept(connect(behind.port, behind.host));
      encrypted.on('error', () => server.destroy()).on('close', () => server.destroy());
      server.on('close', () => encrypted.destroy());
      encrypted.pipe(server).pipe(encrypted);
    });
  }

  private kept(socket: Socket): Socket {
    this.open.add(socket);
    return socket.on('error', () => undefined).on('close', () => this.open.delete(socket));
  }
}
