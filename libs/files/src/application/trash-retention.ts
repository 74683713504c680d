import { Injectable } from '@nestjs/common';

/** Port: how long the workspace of the running unit of work keeps deleted files. */
export abstract class TrashRetention {
  abstract days(): Promise<number>;
}

/** Thirty days, where no workspace says otherwise. */
@Injectable()
export class StandardTrashRetention extends TrashRetention {
  days(): Promise<number> {
    return Promise.resolve(30);
  }
}
