import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '@atrium/platform/testing';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** nginx before two hosts of the API, with kept connections to them, as its documentation sets it up. */
export class ProxyServer {
  private constructor(
    readonly url: string,
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  static async start(upstreams: readonly string[]): Promise<ProxyServer> {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-nginx-'));
    mkdirSync(join(folder, 'tmp'));
    const port = await freePort();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration(folder, port, upstreams));
    const process = spawn('nginx', ['-p', folder, '-e', join(folder, 'error.log'), '-c', file, '-g', 'daemon off;'], { stdio: 'ignore' });
    const proxy = new ProxyServer(`http://127.0.0.1:${port}`, process, folder);
    await eventually(
      () =>
        fetch(`${proxy.url}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        ),
      Boolean,
    );
    return proxy;
  }

  async stop(): Promise<void> {
    const gone = new Promise((resolve) => this.process.once('close', resolve));
    this.process.kill('SIGQUIT');
    await gone;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const configuration = (folder: string, port: number, upstreams: readonly string[]): string => `
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/tmp/body;
  proxy_temp_path ${folder}/tmp/proxy;
  fastcgi_temp_path ${folder}/tmp/fastcgi;
  uwsgi_temp_path ${folder}/tmp/uwsgi;
  scgi_temp_path ${folder}/tmp/scgi;
  upstream api {
    ${upstreams.map((url) => `server ${new URL(url).host} max_fails=0;`).join(' ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    keepalive_requests 100000;
    location / {
      proxy_pass http://api;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`;
