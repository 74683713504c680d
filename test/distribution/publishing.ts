import { request } from 'node:http';
import { eventually, type Client } from '@atrium/platform/testing';

export interface Publication {
  readonly pub_id: string;
  readonly pub_file: string;
  readonly pub_state: string;
  readonly pub_url: string;
  readonly pub_version: number;
  readonly pub_hash: string | null;
  readonly pub_copy_state: string;
  readonly pub_error: string | null;
  readonly pub_stale: boolean;
  readonly pub_revoked_reason: string | null;
  readonly pub_draft: object | null;
  readonly pub_baseline: readonly { readonly dr_name: string }[];
}

export const publish = async (
  client: Client,
  file_id: string,
  order: object = { distribution: 'worldwide' },
  status = 201,
): Promise<Publication> => (await client.post(`/files/${file_id}/publication`, order).expect(status)).body as Publication;

export const publicationOf = async (client: Client, file_id: string): Promise<Publication> =>
  (await client.get(`/files/${file_id}/publication`).expect(200)).body as Publication;

/** The publication once its copy has come to an end. */
export const copied = (client: Client, file_id: string): Promise<Publication> =>
  eventually(
    () => publicationOf(client, file_id),
    ({ pub_copy_state }) => pub_copy_state === 'ready' || pub_copy_state === 'failed',
    60_000,
  );

/** A published file that is there. */
export async function published(client: Client, file_id: string, order?: object): Promise<Publication> {
  await publish(client, file_id, order);
  const publication = await copied(client, file_id);
  await eventually(
    () => fetch(publication.pub_url, { method: 'HEAD' }),
    ({ status }) => status !== 503,
  );
  return publication;
}

/** A client on the other side of the test: nothing is sent that is not said. */
export const visit = (url: string, headers: Record<string, string> = {}): Promise<Response> => fetch(url, { headers });

export const statusAt = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
  const answer = await visit(url, headers);
  await answer.arrayBuffer();
  return answer.status;
};

/** Asks from another address of this machine, which no proxy is trusted at. */
export const visitFrom = (
  localAddress: string,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(url);
    request({ hostname: hostname === 'localhost' ? '127.0.0.1' : hostname, port, path: pathname, headers, localAddress }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const isProblem = response.headers['content-type'] === 'application/problem+json';
        resolve({
          status: response.statusCode ?? 0,
          body: isProblem ? (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>) : {},
        });
      });
    })
      .on('error', reject)
      .end();
  });

/** What a refusal says. */
export async function refusalAt(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly code?: string; readonly reason?: string; readonly cache: string | null }> {
  const answer = await visit(url, headers);
  const isProblem = answer.headers.get('content-type') === 'application/problem+json';
  const { code, reason } = isProblem
    ? ((await answer.json()) as { code: string; reason?: string })
    : { code: undefined, reason: undefined };
  if (!isProblem) await answer.arrayBuffer();
  return { status: answer.status, cache: answer.headers.get('cache-control'), ...(code ? { code } : {}), ...(reason ? { reason } : {}) };
}
