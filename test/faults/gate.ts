import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The way to a part outside, on loopback: open, or shut as when the part is away. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private shut = false;

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<Gate> {
    const server = createServer();
    const gate = new Gate(server);
    server.on('connection', (socket) => gate.lead(socket, port));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return gate;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Everybody is cut off, and new connections are cut at once. */
  close(): void {
    this.shut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  open(): void {
    this.shut = false;
  }

  async stop(): Promise<void> {
    this.close();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private lead(socket: Socket, port: number): void {
    if (this.shut) return void socket.destroy();
    const beyond = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      this.sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
