import { Module } from '@nestjs/common';
import { CalendarHttpModule, CalendarModule } from './calendar/calendar.module';
import { ConnectionsHttpModule, ConnectionsModule, ConnectionsWorkerModule } from './connections/connections.module';
import { MetricsHttpModule, MetricsModule, MetricsWorkerModule } from './metrics/metrics.module';
import { PostsHttpModule, PostsModule, PostsWorkerModule } from './posts/posts.module';
import { SendingHttpModule, SendingModule, SendingWorkerModule } from './sending/sending.module';

const AREAS = [CalendarModule, ConnectionsModule, MetricsModule, PostsModule, SendingModule];

/** Posts to social networks: connected accounts, posts, their sending and numbers, and the calendar. */
@Module({ imports: AREAS, exports: AREAS })
export class SocialModule {}

/** Its routes. */
@Module({ imports: [SocialModule, CalendarHttpModule, ConnectionsHttpModule, MetricsHttpModule, PostsHttpModule, SendingHttpModule] })
export class SocialHttpModule {}

/** Its background work. */
@Module({ imports: [SocialModule, ConnectionsWorkerModule, MetricsWorkerModule, PostsWorkerModule, SendingWorkerModule] })
export class SocialWorkerModule {}
