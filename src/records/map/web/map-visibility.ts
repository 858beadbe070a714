import { createStore } from '../../../platform/web/store.ts'

const KEY = 'map'
const HIDDEN = 'hidden'

/** Whether maps are shown, stored on this device for all lists. */
export const isMapShown = createStore(localStorage.getItem(KEY) !== HIDDEN)

export const setMapShown = (shown: boolean): void => {
  if (shown) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, HIDDEN)
  isMapShown.set(shown)
}
