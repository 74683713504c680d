import { Injectable } from '@nestjs/common';

/** The versions of nodes that something still needs, within the unit of work of the caller. */
export type FindHeldVersions = (node_ids: readonly string[]) => Promise<readonly string[]>;

/** What keeps versions from being removed. Areas above nodes register what they refer to when the service starts. */
@Injectable()
export class VersionHolders {
  private readonly holders: FindHeldVersions[] = [];

  register(holder: FindHeldVersions): void {
    this.holders.push(holder);
  }

  async findHeld(node_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const held = new Set<string>();
    for (const findHeld of this.holders) for (const ver_id of await findHeld(node_ids)) held.add(ver_id);
    return held;
  }
}
