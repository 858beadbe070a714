import { parseSearch } from '../../../platform/web/search-params.ts'
import { getToday } from '../../../platform/web/today.ts'

/** The parts of a path of the app with its filters, for a link of the router; `on` is another day of the list. */
export const toLinkProps = (path: string, on?: string) => {
  const [to = path, search = ''] = path.split('?')
  const day = on === undefined ? {} : { on: on === getToday() ? undefined : on }
  return { to, search: { ...parseSearch(search), ...day } as never }
}
