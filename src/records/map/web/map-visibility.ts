import { isNarrow } from '../../../platform/web/narrow.ts'
import { createStore } from '../../../platform/web/store.ts'

const KEY = 'map'
const SHOWN = 'shown'

/** Whether maps are shown, stored on this device for all lists; on a phone the list comes first until someone shows the map. */
export const isMapShown = createStore(isNarrow() ? localStorage.getItem(KEY) === SHOWN : localStorage.getItem(KEY) !== 'hidden')

export const setMapShown = (shown: boolean): void => {
  localStorage.setItem(KEY, shown ? SHOWN : 'hidden')
  isMapShown.set(shown)
}
