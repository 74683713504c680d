import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import type { RemotePage, RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { ChangedFields, CmsLink, Comparison } from '../domain/cms-link';
import type { Fingerprint } from '../domain/document-exchange';
import { judge, type Verdict } from '../domain/verdict';
import type { CmsSession } from './cms-sessions';
import { LocalPages, type LocalPage, type LocalSummary } from './local-pages';

/** One page as the list of the CMS shows it; null where it is not there. */
export interface ListedPage {
  readonly external_id: string;
  readonly external_version: string | null;
}

export interface ComparedPair {
  readonly link: CmsLink | null;
  readonly remote: ListedPage | null;
  readonly local: LocalSummary | null;
}

/** A page of the CMS as it was read. */
export interface ReadPage extends Fingerprint {
  readonly summary: RemoteSummary;
}

/** What was found; null where neither side has the page any more. */
export interface ComparedPage {
  readonly comparison: Comparison | null;
  /** What the CMS has, where it was read. */
  readonly remote: ReadPage | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Compares pages here with those at the CMS. What has not changed since it was last read is known by its hash, and is not read again. */
@Injectable()
export class PageComparison {
  constructor(private readonly locals: LocalPages) {}

  /** Compares pages outside of any unit of work but for the read of those here. */
  async comparePairs(session: CmsSession, pairs: readonly ComparedPair[]): Promise<readonly ComparedPage[]> {
    const stale = pairs.flatMap(({ link, local }) => (local && !isKnownLocal(link, local) ? [local.node_id] : []));
    const read = stale.length === 0 ? new Map<string, LocalPage>() : await this.locals.readPages(session.site, stale);
    const compared: ComparedPage[] = [];
    for (const pair of pairs) compared.push(await this.comparePair(session, pair, read));
    return compared;
  }

  /** A page of the CMS in the form in which it is compared; refuses one that has something that cannot be carried. */
  fingerprintRemote({ port, exchange }: CmsSession, page: RemotePage): Fingerprint {
    const { document, unsupported } = port.mapping.toDocument(page, exchange.context);
    const [fault] = unsupported;
    if (fault) throw new CmsProblem('unsupported_field', `${fault.path}: ${fault.reason}`, { field: fault.path });
    return exchange.fingerprint(document);
  }

  fingerprintLocal({ exchange, pages }: CmsSession, page: LocalPage, link: Pick<CmsLink, 'lnk_pending'> | null): Fingerprint {
    return exchange.fingerprint(exchange.toOutside(page.document, pages, link?.lnk_pending).document);
  }

  /** The page of the CMS; null where it is gone. */
  async readRemote({ port, call }: CmsSession, external_id: string): Promise<RemotePage | null> {
    try {
      const page = await port.readPage(call, external_id);
      return page.isDeleted ? null : page;
    } catch (error) {
      if (error instanceof CmsProblem && error.reason === 'not_found') return null;
      throw error;
    }
  }

  private async comparePair(session: CmsSession, pair: ComparedPair, read: ReadonlyMap<string, LocalPage>): Promise<ComparedPage> {
    const { link, remote, local } = pair;
    try {
      const here = local ? read.get(local.node_id) : undefined;
      const ours = here ? this.fingerprintLocal(session, here, link) : null;
      const theirs = remote && !isKnownRemote(link, remote) ? await this.readFingerprint(session, remote.external_id) : null;
      const isThere = remote !== null && (isKnownRemote(link, remote) || theirs !== null);
      const hashes = {
        base: link?.lnk_base_hash ?? null,
        local: local ? (ours?.hash ?? link?.lnk_local_hash ?? null) : null,
        remote: isThere ? (theirs?.hash ?? link?.lnk_remote_hash ?? null) : null,
      };
      const verdict = judge({ ...hashes, isTrashed: local !== null && !local.isActive });
      const fields = verdict === null ? null : fieldsOf(session, link, { verdict, ours, theirs });
      const comparison = verdict && {
        verdict,
        local: hashes.local,
        localStamp: local?.stamp ?? null,
        remote: hashes.remote,
        fields,
      };
      return { comparison, remote: theirs, error: null };
    } catch (error) {
      return failedComparison(error, pair);
    }
  }

  private async readFingerprint(session: CmsSession, external_id: string): Promise<ReadPage | null> {
    const page = await this.readRemote(session, external_id);
    return page && { ...this.fingerprintRemote(session, page), summary: page };
  }
}

const isKnownLocal = (link: CmsLink | null, local: LocalSummary): boolean =>
  link?.lnk_local_hash != null && link.lnk_local_stamp === local.stamp && Object.keys(link.lnk_pending).length === 0;

const isKnownRemote = (link: CmsLink | null, { external_version }: ListedPage): boolean =>
  link?.lnk_remote_hash != null && external_version !== null && link.lnk_external_version === external_version;

/** A fault of one page; one of the whole connection ends the run. */
function failedComparison(error: unknown, { local }: ComparedPair): ComparedPage {
  if (!(error instanceof Problem) || (error instanceof CmsProblem && error.endsRun)) throw error;
  const code = error instanceof CmsProblem ? error.reason : error.code;
  const verdict: Verdict = code === 'unsupported_field' ? 'unsupported' : 'error';
  return {
    comparison: { verdict, local: null, localStamp: local?.stamp ?? null, remote: null, fields: null },
    remote: null,
    error: { code, message: error.detail },
  };
}

interface Versions {
  readonly verdict: Verdict;
  readonly ours: Fingerprint | null;
  readonly theirs: Fingerprint | null;
}

/** Names of what differs from the base, by side; what was not read again differs as it did before. */
function fieldsOf({ exchange }: CmsSession, link: CmsLink | null, { verdict, ours, theirs }: Versions): ChangedFields | null {
  if (verdict === 'in_sync' || !link?.lnk_base) return null;
  const before = link.lnk_fields as Partial<ChangedFields>;
  const local = ours ? exchange.listChangedUnits(link.lnk_base, ours.document) : (before.local ?? []);
  const remote = theirs ? exchange.listChangedUnits(link.lnk_base, theirs.document) : (before.remote ?? []);
  return { local: bounded(local), remote: bounded(remote), conflicts: bounded(local.filter((name) => remote.includes(name))) };
}

const MOST_FIELDS = 200;
const bounded = (names: readonly string[]): readonly string[] => names.slice(0, MOST_FIELDS);
