import { Module } from '@nestjs/common';

/** What a site answers to the public. */
@Module({})
export class DeliveryModule {}

/** Their routes. */
@Module({ imports: [DeliveryModule] })
export class DeliveryHttpModule {}

/** Their background work. */
@Module({ imports: [DeliveryModule] })
export class DeliveryWorkerModule {}
