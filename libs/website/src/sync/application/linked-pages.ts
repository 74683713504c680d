import type { Identities, SentFile } from '../domain/document-exchange';

/** Identities of one site, read once for a run and kept up to date by what the run links. */
export class LinkedPages implements Identities {
  private readonly external = new Map<string, string>();
  private readonly nodes = new Map<string, string>();
  private readonly sent = new Map<string, SentFile>();
  private readonly files = new Map<string, string>();

  link(node_id: string, external_id: string): void {
    this.external.set(node_id, external_id);
    this.nodes.set(external_id, node_id);
  }

  unlink(external_id: string): void {
    const node_id = this.nodes.get(external_id);
    this.nodes.delete(external_id);
    if (node_id !== undefined) this.external.delete(node_id);
  }

  addSentFile(file_id: string, sent: SentFile): void {
    this.sent.set(file_id, sent);
    this.files.set(sent.url, file_id);
  }

  findExternal(node_id: string): string | undefined {
    return this.external.get(node_id);
  }

  findNode(external_id: string): string | undefined {
    return this.nodes.get(external_id);
  }

  findSentFile(file_id: string): SentFile | undefined {
    return this.sent.get(file_id);
  }

  findFileOf(url: string): string | undefined {
    return this.files.get(url);
  }
}
