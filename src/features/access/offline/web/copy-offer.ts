import { configuration } from '../../../../platform/web/configuration.ts'
import { getCopy } from '../../../../platform/web/offline.ts'
import { createStore, useStore } from '../../../../platform/web/store.ts'

const OFFERED = 'homeroom.copy-offered'

const mayOffer = (): boolean => configuration.offlineDays > 0 && getCopy() === null && localStorage.getItem(OFFERED) === null
/** Whether the switch is offered: once, after the app was installed. */
const isDue = createStore(matchMedia('(display-mode: standalone)').matches && mayOffer())
window.addEventListener('appinstalled', () => isDue.set(mayOffer()))
export const useIsOfferDue = (): boolean => useStore(isDue)

export const dismissOffer = (): void => {
  localStorage.setItem(OFFERED, '1')
  isDue.set(false)
}
