import { Injectable } from '@nestjs/common';

/** What names models in a context above. */
export interface ModelUserSource {
  /** How one of them is called, in the words of the product: `agent`. */
  readonly kind: string;
  /** Active ones that name any of these models (`provider/model`), at most a few, within the unit of work at hand. */
  naming(model_ids: readonly string[]): Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** Port to what names models: a provider whose models are in use cannot be removed. */
@Injectable()
export class ModelUsers {
  private readonly sources: ModelUserSource[] = [];

  register(source: ModelUserSource): void {
    this.sources.push(source);
  }

  /** Those that name any of the models, in one statement for each source. */
  async naming(model_ids: readonly string[]): Promise<readonly { readonly kind: string; readonly id: string; readonly name: string }[]> {
    if (model_ids.length === 0) return [];
    const found = [];
    for (const source of this.sources) for (const user of await source.naming(model_ids)) found.push({ kind: source.kind, ...user });
    return found;
  }
}
