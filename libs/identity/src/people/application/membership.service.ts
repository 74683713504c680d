import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, TimeZones, type Page, type Precondition, type Versioned } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { DirectoryEntry } from '../domain/directory-entry';
import { mergedPreferences } from '../domain/user';
import { DirectoryRepository, type DirectoryFilters } from '../infrastructure/directory.repository';
import { UsersRepository } from '../infrastructure/users.repository';
import { MeService } from './me.service';
import { PEOPLE_AUDIT } from './people.audit';
import { UsersService } from './users.service';
import { WorkspaceFiles } from '../../settings/application/workspace-files';

export interface MyChanges {
  readonly user_name?: string;
  readonly user_title?: string | null;
  readonly user_avatar_file?: string | null;
  readonly user_locale?: string | null;
  readonly user_timezone?: string | null;
  readonly user_pref?: JsonObject;
}

export type DirectoryRow = Pick<DirectoryEntry, 'user_id' | 'user_name' | 'user_title' | 'user_avatar_file' | 'user_kind'>;

const MAX_PREFERENCES = 16 * 1024;

/** What every member sees of the others, and what a person changes of their own membership. */
@Injectable()
export class MembershipService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly zones: TimeZones,
    private readonly entries: DirectoryRepository,
    private readonly files: WorkspaceFiles,
    private readonly administration: UsersService,
    private readonly me: MeService,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  listDirectory(query: DirectoryFilters): Promise<Page<DirectoryRow>> {
    return this.db.read(() => this.entries.listDirectory(query));
  }

  change(caller: Principal, changes: MyChanges, precondition?: Precondition): Promise<Versioned> {
    return this.db.write(async () => {
      assertPerson(caller);
      const facts = await this.checked(changes);
      const user = await this.users.lock(caller.user_id, precondition);
      if (changes.user_pref !== undefined) facts.user_pref = preferences(user.user_pref, changes.user_pref);
      const before = user.user_name;
      Object.assign(user, facts);
      user.touch(this.clock);
      await this.users.save(user);
      this.outbox.emitEvent({ name: 'user.updated', subject_id: user.user_id, payload: { changed: Object.keys(facts) } });
      if (before !== user.user_name)
        this.audit.record({
          type: PEOPLE_AUDIT['user.updated'],
          target: { type: 'user', id: user.user_id, name: user.user_name },
          before: { user_name: before },
          after: { user_name: user.user_name },
        });
      const { user: shown, row_version } = await this.me.get(caller);
      return { ...shown, row_version };
    });
  }

  leaveWorkspace(caller: Principal): Promise<void> {
    return this.db.write(async () => {
      assertPerson(caller);
      await this.administration.leaveWorkspace(caller);
    });
  }

  private async checked({
    user_pref: _,
    user_locale,
    user_timezone,
    user_avatar_file,
    ...plain
  }: MyChanges): Promise<MyChanges & { user_pref?: JsonObject }> {
    if (user_timezone) await this.zones.assertTimeZone('user_timezone', user_timezone);
    if (user_avatar_file && !(await this.files.findExistingFiles([user_avatar_file], ['image'])).has(user_avatar_file.toLowerCase())) {
      throw invalidField('user_avatar_file', 'must be an image file of this workspace', 'reference');
    }
    const named = { ...plain, user_timezone, user_avatar_file, user_locale: user_locale ? canonicalLocale(user_locale) : user_locale };
    return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  }
}

/** By the caller as the gate admitted them. */
function assertPerson({ kind }: Principal): void {
  if (kind !== 'person') throw accessDenied('Only people can do this, not service accounts or extensions.');
}

function preferences(present: JsonObject, changes: JsonObject): JsonObject {
  const merged = mergedPreferences(present, changes);
  if (Buffer.byteLength(JSON.stringify(merged)) > MAX_PREFERENCES)
    throw invalidField('user_pref', `must have at most ${MAX_PREFERENCES} bytes as JSON, including the stored members`, 'too_long');
  return merged;
}

function canonicalLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text;
  } catch {
    throw invalidField('user_locale', 'must be a language tag (BCP 47) such as en or pt-BR', 'locale');
  }
}
