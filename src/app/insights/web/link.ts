import { parseSearch } from '../../../platform/web/search-params.ts'

/** The parts of a path of the app with its filters, for a link of the router. */
export const toLinkProps = (path: string) => {
  const [to = path, search = ''] = path.split('?')
  return { to, search: parseSearch(search) as never }
}
