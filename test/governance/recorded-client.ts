import { Client } from '@atrium/platform/testing';
import type { Test } from 'supertest';

/** Notes what was sent and taken: `POST /albums/0190… album_name`. */
export type Note = (method: string, path: string, field: string) => void;

/** A client that notes the fields of its bodies that hold a needle, once the API has answered them with 2xx. */
export class RecordedClient extends Client {
  constructor(
    private readonly of: { readonly origin: string; readonly client: Client; readonly needles: readonly string[] },
    private readonly note: Note,
  ) {
    super(of.origin, of.client.headers);
  }

  override post(path: string, body: object = {}): Test {
    return this.noted('POST', path, body, super.post(path, body));
  }

  override put(path: string, body: object = {}): Test {
    return this.noted('PUT', path, body, super.put(path, body));
  }

  override patch(path: string, body: object = {}): Test {
    return this.noted('PATCH', path, body, super.patch(path, body));
  }

  override with(headers: Readonly<Record<string, string>>): Client {
    return new RecordedClient({ ...this.of, client: super.with(headers) }, this.note);
  }

  private noted(method: string, path: string, body: object, test: Test): Test {
    return test.on('response', ({ status }: { status: number }) => {
      if (status >= 300) return;
      for (const [field, value] of Object.entries(body))
        if (this.of.needles.some((needle) => JSON.stringify(value ?? null).includes(needle))) this.note(method, path, field);
    });
  }
}
