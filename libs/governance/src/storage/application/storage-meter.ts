import { Injectable } from '@nestjs/common';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import type { StorageLine } from '../domain/storage';
import { StorageRows } from '../infrastructure/storage.rows';

/** One line as the database reads it: bytes that came or went, or bytes no longer set aside. */
type Waiting =
  (Omit<StorageLine, 'user'> & { readonly person: string | null }) | { readonly person: string | null; readonly released: number };

/**
 * Counts what is stored, in the unit of work of the change it belongs to, and holds workspaces and people to their
 * bounds. All lines of a unit of work are one statement that goes out with the commit, so the workspace's row is taken for
 * that moment only; bytes that are to come are set aside before, in one statement that is right under any number at once.
 */
@Injectable()
export class StorageMeter {
  private readonly waiting = new WeakMap<UnitOfWork, Waiting[]>();

  constructor(
    private readonly db: Database,
    private readonly rows: StorageRows,
  ) {}

  /**
   * Sets bytes aside for an upload, a person's or (null) a guest's, within an open `db.write`; 409 `limit_reached` where a
   * limit does not allow it. Best as its last statement.
   */
  async reserveBytes(bytes: number, user: string | null): Promise<void> {
    this.requireWriting();
    const refusing = await this.rows.reserveBytes(bytes, user);
    if (refusing === 'workspace')
      throw new Problem(
        'limit_reached',
        'The storage quota of the workspace is used up. Delete files permanently, or ask the operator for a larger quota.',
      );
    if (refusing === 'person') throw new Problem('limit_reached', 'Your storage limit is used up. Delete some of your files permanently.');
  }

  /** Gives back what was set aside: the bytes came, or will not come. */
  releaseBytes(bytes: number, user: string | null): void {
    this.enqueue({ person: user, released: bytes });
  }

  /** Counts bytes that came, or that went when they are below zero. */
  countBytes(...lines: readonly StorageLine[]): void {
    for (const { user, ...line } of lines) if (line.bytes !== 0 || line.objects !== 0) this.enqueue({ ...line, person: user });
  }

  private enqueue(line: Waiting): void {
    const tx = this.requireWriting();
    const open = this.waiting.get(tx);
    if (open) {
      open.push(line);
      return;
    }
    const lines = [line];
    this.waiting.set(tx, lines);
    tx.beforeCommit(() => {
      this.waiting.delete(tx);
      return this.rows.settleStatement(lines);
    });
  }

  private requireWriting(): UnitOfWork {
    const tx = this.db.current();
    if (tx.mode !== 'write') throw new Error('Storage is counted in the unit of work of a change: use db.write().');
    return tx;
  }
}
