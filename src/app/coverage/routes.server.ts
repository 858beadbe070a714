import { notFound } from '../../contract/problem.ts'
import { handleList, type Route } from '../../platform/server/handler.ts'
import { listCoverage, listCoverageOfRegion } from './contract.ts'
import { COVERAGE, listCoverageOf } from './queries.server.ts'

export const coverageRoutes: Route[] = [
  handleList(listCoverage, COVERAGE),
  handleList(listCoverageOfRegion, ({ region = '' }, model) => {
    const _id = model.findId('region', region)
    if (_id === undefined) throw notFound('Region')
    return { name: `coverage of ${_id}`, source: listCoverageOf(_id) }
  }),
]
