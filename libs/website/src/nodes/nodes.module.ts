import { Module, type Provider } from '@nestjs/common';
import { AiModule } from '@atrium/ai';
import { ApprovalsModule } from '@atrium/approvals';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { ContentSchemasModule } from '../schemas/schemas.module';
import { SitesModule } from '../sites/sites.module';
import { AddedLocales } from './application/added-locales';
import { ApprovalsOfNodes } from './application/approvals-of-nodes';
import { CmsOfNodes } from './application/cms-of-nodes';
import { ContentChecks } from './application/content-checks';
import { ContentService } from './application/content.service';
import { DraftSettling } from './application/draft-settling';
import { LivePages } from './application/live-pages';
import { NewNodes } from './application/new-nodes';
import { NodeAnswers } from './application/node-answers';
import { NodeCopiesService } from './application/node-copies.service';
import { NodeExpiry } from './application/node-expiry';
import { NodeFields } from './application/node-fields';
import { NodeIssues } from './application/node-issues';
import { NodeList } from './application/node-list';
import { NodeOrder } from './application/node-order';
import { NodePlaces } from './application/node-places';
import { NodeReading } from './application/node-reading';
import { NodeTrashService } from './application/node-trash.service';
import { NodesElsewhere } from './application/nodes-elsewhere';
import { NodesService } from './application/nodes.service';
import { OpenDrafts } from './application/open-drafts';
import { PageDrafts } from './application/page-drafts';
import { PageLinks } from './application/page-links';
import { PageReferences } from './application/page-references';
import { PageTexts } from './application/page-texts';
import { PageVersions } from './application/page-versions';
import { SiteLibraries } from './application/site-libraries';
import { StoredVersions } from './application/stored-versions';
import { UnreadyFiles } from './application/unready-files';
import { VersionFitting } from './application/version-fitting';
import { VersionHolders } from './application/version-holders';
import { VersionsService } from './application/versions.service';
import { ContentController } from './http/content.controller';
import { NodesController } from './http/nodes.controller';
import { NodeFactsRows } from './infrastructure/node-facts.rows';
import { NodeLocaleRows } from './infrastructure/node-locales.rows';
import { NodeOrderRows } from './infrastructure/node-order.rows';
import { NodeReferenceRows } from './infrastructure/node-references.rows';
import { NodesRepository } from './infrastructure/nodes.repository';
import { PageVersionRows } from './infrastructure/page-versions.rows';
import { NodesHandler } from './jobs/nodes.handler';
import { settleDrafts } from './jobs/nodes.jobs';

const NODES: Provider[] = [
  AddedLocales,
  ApprovalsOfNodes,
  CmsOfNodes,
  ContentChecks,
  ContentService,
  DraftSettling,
  LivePages,
  NewNodes,
  NodeAnswers,
  NodeCopiesService,
  NodeFactsRows,
  NodeExpiry,
  NodeFields,
  NodeIssues,
  NodeList,
  NodeLocaleRows,
  NodeOrder,
  NodeOrderRows,
  NodePlaces,
  NodeReading,
  NodeReferenceRows,
  NodesRepository,
  NodesElsewhere,
  NodesService,
  NodeTrashService,
  OpenDrafts,
  PageDrafts,
  PageLinks,
  PageReferences,
  PageVersionRows,
  PageTexts,
  PageVersions,
  SiteLibraries,
  StoredVersions,
  UnreadyFiles,
  VersionFitting,
  VersionHolders,
  VersionsService,
];

/** The draft of a site: its tree of pages, folders and links, their contents and versions. */
@Module({
  imports: [AiModule, ApprovalsModule, ContentSchemasModule, FilesModule, FormsModule, MediaModule, SitesModule],
  providers: NODES,
  exports: NODES,
})
export class NodesModule {}

/** Their routes. */
@Module({ imports: [NodesModule], controllers: [NodesController, ContentController] })
export class NodesHttpModule {}

/** Their background work. */
@Module({ imports: [NodesModule, JobsModule.define([settleDrafts])], providers: [NodesHandler] })
export class NodesWorkerModule {}
