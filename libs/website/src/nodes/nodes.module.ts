import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { ContentSchemasModule } from '../schemas/schemas.module';
import { SitesModule } from '../sites/sites.module';
import { ApprovalsOfNodes } from './application/approvals-of-nodes';
import { CmsOfNodes } from './application/cms-of-nodes';
import { ContentChecks } from './application/content-checks';
import { ContentService } from './application/content.service';
import { DraftSettling } from './application/draft-settling';
import { LivePages } from './application/live-pages';
import { NewNodes } from './application/new-nodes';
import { NodeAnswers } from './application/node-answers';
import { NodeCopiesService } from './application/node-copies.service';
import { NodeFields } from './application/node-fields';
import { NodeIssues } from './application/node-issues';
import { NodeList } from './application/node-list';
import { NodeOrder } from './application/node-order';
import { NodePlaces } from './application/node-places';
import { NodeReading } from './application/node-reading';
import { NodeTrashService } from './application/node-trash.service';
import { NodesService } from './application/nodes.service';
import { OpenDrafts } from './application/open-drafts';
import { PageDrafts } from './application/page-drafts';
import { PageLinks } from './application/page-links';
import { PageReferences } from './application/page-references';
import { PageVersions } from './application/page-versions';
import { SiteLibraries } from './application/site-libraries';
import { StoredVersions } from './application/stored-versions';
import { VersionsService } from './application/versions.service';
import { ContentController } from './http/content.controller';
import { NodesController } from './http/nodes.controller';
import { NodeFactsRows } from './infrastructure/node-facts.rows';
import { NodeLocaleRows } from './infrastructure/node-locales.rows';
import { NodeOrderRows } from './infrastructure/node-order.rows';
import { NodeReferenceRows } from './infrastructure/node-references.rows';
import { NodesRepository } from './infrastructure/nodes.repository';
import { PageVersionRows } from './infrastructure/page-versions.rows';

const NODES: Provider[] = [
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
  NodesService,
  NodeTrashService,
  OpenDrafts,
  PageDrafts,
  PageLinks,
  PageReferences,
  PageVersionRows,
  PageVersions,
  SiteLibraries,
  StoredVersions,
  VersionsService,
];

/** The draft of a site: its tree of pages, folders and links, their contents and versions. */
@Module({ imports: [ContentSchemasModule, FilesModule, FormsModule, SitesModule], providers: NODES, exports: NODES })
export class NodesModule {}

/** Their routes. */
@Module({ imports: [NodesModule], controllers: [NodesController, ContentController] })
export class NodesHttpModule {}

/** Their background work. */
@Module({ imports: [NodesModule] })
export class NodesWorkerModule {}
