import { MODULES } from '@atrium/platform/access';
import { WorkspaceLife, Workspaces, type WorkspaceDetail } from '@atrium/identity';
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { command, onWorkspace, wholeNumber, type Output } from './command';
import { UsageError, type Session } from './session';

interface Creation extends Output {
  readonly name: string;
  readonly slug: string;
  readonly ownerEmail: string;
  readonly ownerName: string;
  readonly invite?: boolean;
  readonly module?: string[];
  readonly allModules?: boolean;
  readonly seats?: number;
  readonly timezone?: string;
  readonly locale?: string;
  readonly credits?: number;
  readonly externalId?: string;
}

interface Change extends Output {
  readonly name?: string;
  readonly slug?: string;
  readonly seats?: number | 'none';
  readonly externalId?: string;
}

const MOST_GRACE_DAYS = 90;
const PAGE = 1_000;

/** `atrium workspace …`: the life cycle of workspaces. */
export function workspaceCommands(program: Command, session: Session): void {
  const group = program.command('workspace').description('Workspaces.');

  command(group, 'create', 'Creates a workspace with its roles and owner. The password is read from standard input.')
    .requiredOption('--name <name>')
    .requiredOption('--slug <slug>')
    .requiredOption('--owner-email <email>')
    .requiredOption('--owner-name <name>')
    .option('--invite', 'print an invitation link for the owner instead of asking for a password')
    .option('--module <module...>', 'modules to license')
    .option('--all-modules', 'license every module')
    .option('--seats <count>', 'maximum number of active or invited people', wholeNumber)
    .option('--timezone <name>', 'IANA name')
    .option('--locale <tag>', 'BCP 47')
    .option('--credits <count>', 'initial credits', wholeNumber)
    .option('--external-id <id>', 'id in an external system; a repeated call shows the existing workspace')
    .action((options: Creation) => session.run((app) => create(app, session, options), { ...options, founds: true }));

  command(group, 'list', 'Lists all workspaces, newest first.').action((options: Output) => session.run(list, options));

  onWorkspace(group, 'show', 'Shows a workspace and the progress of its purge.').action((ws_id: string, options: Output) =>
    session.run(async (app) => shown(await app.get(Workspaces).get(ws_id)), options),
  );

  onWorkspace(group, 'update', 'Changes the name, slug, seats or external id of a workspace.')
    .option('--name <name>')
    .option('--slug <slug>')
    .option('--seats <count>', 'maximum number of active or invited people; none: no limit', (value) =>
      value === 'none' ? value : wholeNumber(value),
    )
    .option('--external-id <id>')
    .action((ws_id: string, { name, slug, seats, externalId, ...output }: Change) =>
      session.run(async (app) => {
        const facts = { ws_name: name, ws_slug: slug, ws_seat_limit: seats === 'none' ? null : seats, ws_external_id: externalId };
        if (Object.values(facts).every((value) => value === undefined)) throw new UsageError('Name at least one option to change.');
        return shown(await app.get(Workspaces).change(ws_id, facts));
      }, output),
    );

  const life = lifeOf(group, session);
  life('suspend', 'Suspends a workspace: members have no access and jobs wait. No data is lost.', (of, ws_id, { reason }) =>
    of.suspend(ws_id, reason ?? null),
  ).option('--reason <text>', 'shown to members');
  life('resume', 'Resumes a suspended workspace and its jobs.', (of, ws_id, { reason }) => of.resume(ws_id, reason ?? null)).option(
    '--reason <text>',
  );
  life('delete', 'Closes a workspace and purges it after the grace period.', (of, ws_id, { graceDays = 30 }) => {
    if (graceDays > MOST_GRACE_DAYS) throw new UsageError(`The grace period can be up to ${MOST_GRACE_DAYS} days.`);
    return of.remove(ws_id, graceDays);
  }).option('--grace-days <days>', '0 to 90; default: 30', wholeNumber);
  life('restore', 'Cancels a deletion during its grace period. The workspace stays suspended.', (of, ws_id) => of.restore(ws_id));
}

interface LifeOptions extends Output {
  readonly reason?: string;
  readonly graceDays?: number;
}

const lifeOf =
  (group: Command, session: Session) =>
  (name: string, description: string, act: (of: WorkspaceLife, ws_id: string, options: LifeOptions) => Promise<void>): Command =>
    onWorkspace(group, name, description).action((ws_id: string, options: LifeOptions) =>
      session.run(async (app) => {
        await act(app.get(WorkspaceLife), ws_id, options);
        const { ws_status, ws_delete_after } = await app.get(Workspaces).get(ws_id);
        return ws_delete_after === null ? { ws_id, ws_status } : { ws_id, ws_status, ws_delete_after };
      }, options),
    );

async function create(app: INestApplicationContext, session: Session, options: Creation): Promise<object> {
  const password = options.invite ? {} : { password: await session.secret('Password of the owner') };
  const { workspace, owner_user_id, invite_url } = await app.get(Workspaces).create({
    ws_name: options.name,
    ws_slug: options.slug,
    owner: { user_email: options.ownerEmail, user_name: options.ownerName, ...password },
    ws_modules: options.allModules ? MODULES : (options.module ?? []),
    ws_seat_limit: options.seats,
    ws_timezone: options.timezone,
    ws_locale: options.locale,
    initial_credits: options.credits,
    ws_external_id: options.externalId,
  });
  return { ws_id: workspace.ws_id, ...(owner_user_id ? { owner_user_id } : {}), ...(invite_url ? { invite_url } : {}) };
}

async function list(app: INestApplicationContext): Promise<object[]> {
  const lines: object[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await app.get(Workspaces).list({ limit: PAGE, ...(cursor ? { cursor } : {}) });
    lines.push(
      ...page.data.map(({ ws_id, ws_name, ws_slug, ws_status, ws_created }) => ({ ws_id, ws_name, ws_slug, ws_status, ws_created })),
    );
    cursor = page.next_cursor;
  }
  return lines;
}

const shown = ({ row_version: _, counts, ...workspace }: WorkspaceDetail): object => ({ ...workspace, ...counts });
