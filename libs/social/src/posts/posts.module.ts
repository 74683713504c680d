import { Module, type Provider } from '@nestjs/common';
import { AiModule } from '@atrium/ai';
import { ApprovalsModule } from '@atrium/approvals';
import { FilesModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { CalendarModule } from '../calendar/calendar.module';
import { ConnectionsModule } from '../connections/connections.module';
import { ApprovedPosts } from './application/approved-posts';
import { DraftTexts } from './application/draft-texts.service';
import { JudgedContent } from './application/judged-content';
import { LinkPreviews } from './application/link-previews.service';
import { PostAnswers } from './application/post-answers';
import { PostApprovals } from './application/post-approvals';
import { PostAttempts } from './application/post-attempts';
import { PostChecks } from './application/post-checks';
import { PostContent } from './application/post-content';
import { PostedFiles } from './application/posted-files';
import { PostJournal } from './application/post-journal';
import { PostMoves } from './application/post-moves.service';
import { PostNotices } from './application/post-notices';
import { PostRendering } from './application/post-rendering';
import { PostsElsewhere } from './application/posts-elsewhere';
import { PostsOfPeople } from './application/posts-of-people';
import { PostSources } from './application/post-sources';
import { PostsService } from './application/posts.service';
import { PostVariantStore } from './application/post-variant-store';
import { ComposingController } from './http/composing.controller';
import { SocialPlatformsController } from './http/platforms.controller';
import { PostTransitionsController } from './http/post-transitions.controller';
import { SocialPostsController } from './http/posts.controller';
import { AttemptRows } from './infrastructure/attempts.rows';
import { PagePreviews } from './infrastructure/page-previews';
import { PostedFileRows } from './infrastructure/posted-files.rows';
import { PostsRepository } from './infrastructure/posts.repository';
import { VariantsRepository } from './infrastructure/variants.repository';
import { ApprovalNewsHandler } from './jobs/approval-news.handler';
import { approvalNews } from './jobs/approval-news.jobs';

const POSTS: Provider[] = [
  ApprovedPosts,
  AttemptRows,
  JudgedContent,
  PostAnswers,
  PostApprovals,
  PostAttempts,
  PostChecks,
  PostContent,
  PostedFileRows,
  PostedFiles,
  PostJournal,
  PostMoves,
  PostNotices,
  PostRendering,
  PostsElsewhere,
  PostsOfPeople,
  PostSources,
  PostsRepository,
  PostsService,
  PostVariantStore,
  VariantsRepository,
];

/** Posts, and what is decided about them before they are sent. */
@Module({
  imports: [
    AiModule,
    ApprovalsModule,
    CalendarModule,
    ConnectionsModule,
    FilesModule,
    GovernanceModule,
    IdentityModule,
    MediaModule,
    OutboundModule,
  ],
  providers: POSTS,
  exports: POSTS,
})
export class PostsModule {}

/** Their background work. */
@Module({ imports: [PostsModule, JobsModule.define([approvalNews])], providers: [ApprovalNewsHandler] })
export class PostsWorkerModule {}

/** Their routes. */
@Module({
  imports: [AiModule, ConnectionsModule, FilesModule, OutboundModule, PostsModule],
  providers: [DraftTexts, LinkPreviews, PagePreviews],
  controllers: [ComposingController, PostTransitionsController, SocialPlatformsController, SocialPostsController],
})
export class PostsHttpModule {}
