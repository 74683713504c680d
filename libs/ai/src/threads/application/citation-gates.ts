import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { MessageCitation } from '../domain/message';

/** Port: who knows the sources of citations says which of them the caller may read, in the order given. Within a unit of work. */
export abstract class CitationGate {
  abstract filterReadable(citations: readonly MessageCitation[], caller: Principal): Promise<readonly boolean[]>;
}

/** Decides about the citations of messages; while nobody knows their sources, nobody is shown them. */
@Injectable()
export class CitationGates {
  private gate: CitationGate | undefined;

  register(gate: CitationGate): void {
    if (this.gate) throw new Error('Citations are decided about in two places.');
    this.gate = gate;
  }

  async filterReadable(citations: readonly MessageCitation[], caller: Principal): Promise<readonly boolean[]> {
    if (citations.length === 0) return [];
    return (await this.gate?.filterReadable(citations, caller)) ?? citations.map(() => false);
  }
}
