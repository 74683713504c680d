import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';

/** What names models of a provider: a few that the caller can see, and how many there are besides. */
export interface UsersOfModels {
  readonly named: readonly { readonly id: string; readonly name: string }[];
  readonly others: number;
}

/** What names models in a context above. */
export interface ModelUserSource {
  /** How one of them is called, in the words of the product: `agent`. */
  readonly kind: string;
  /** Active ones that name any model of the provider (`provider/model`), within the unit of work at hand. */
  findUsers(mp_name: string, caller: Principal): Promise<UsersOfModels>;
}

/** Port to what names models: a provider whose models are in use cannot be removed. */
@Injectable()
export class ModelUsers {
  private readonly sources: ModelUserSource[] = [];

  register(source: ModelUserSource): void {
    this.sources.push(source);
  }

  /** What names models of the provider, by its kind, in one statement for each source; kinds of which there is none are left out. */
  async findUsers(mp_name: string, caller: Principal): Promise<readonly (UsersOfModels & { readonly kind: string })[]> {
    const found = [];
    for (const source of this.sources) found.push({ kind: source.kind, ...(await source.findUsers(mp_name, caller)) });
    return found.filter(({ named, others }) => named.length + others > 0);
  }
}
