import { answer } from '../measures/worker-answer.ts'
import type { StatisticsRequest } from './request.ts'
import { statistics } from './statistics.ts'

// Computes statistics in a worker, so that the page stays responsive.

self.onmessage = ({ data: { links, grouping } }: MessageEvent<StatisticsRequest>) =>
  answer((report) => statistics(links, grouping, report))
