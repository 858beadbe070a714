import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import {
  IconActivity,
  IconCalendarDue,
  IconChartLine,
  IconDownload,
  IconHome,
  IconInbox,
  IconLifebuoy,
  IconLogout,
  IconMapPin,
  IconSettings,
  IconUserCircle,
  IconUsers,
  IconWifiOff,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'

import { can } from '../contract/capabilities.ts'
import { PAGE_LIST, type MenuSection as MenuSectionName } from '../contract/pages.ts'
import { readProfilePhoto } from '../contract/pictures.ts'
import { getRecordPath } from '../contract/records.ts'
import { type User, getFirstName } from '../contract/user.ts'
import { useIsOfferDue } from '../features/access/offline/web/copy-offer.ts'
import { goToSignOut, useSignOutConfirmation } from '../features/access/session/web/sign-in-navigation.ts'
import { OverdueMark } from '../features/deadlines/deadlines/web/OverdueMark.tsx'
import { SEE_EVERYTHING } from '../features/finding/activity/rules.ts'
import { closeBulkWindow, useBulkWindow } from '../platform/web/bulk-window.ts'
import { type CalendarTarget, closeCalendarWindow, useCalendarWindow } from '../platform/web/calendar-window.ts'
import { useHasLevelFor, useSession, useUser } from '../platform/web/caller.ts'
import { closeChangeWindow, useChangeWindow } from '../platform/web/change-window.ts'
import { getCallUrl } from '../platform/web/client.ts'
import { errorMessage } from '../platform/web/failures.ts'
import { resolveSignIn, useIsSignInRequested } from '../platform/web/form/open-forms.ts'
import { Avatar } from '../platform/web/kit/Avatar.tsx'
import { EmptyState, EmptyStateActions } from '../platform/web/kit/EmptyState.tsx'
import { EditInExcelContext, type EditInExcelProps } from '../platform/web/list/edit-in-excel.ts'
import { useCopy, useIsOffline } from '../platform/web/offline.ts'
import { closePalette, keepTypedText, listenForPaletteKeys, usePalette } from '../platform/web/palette.ts'
import { pastDay } from '../platform/web/past-day.ts'
import { BarMenu } from '../platform/web/shell/BarMenu.tsx'
import { HelpButton } from '../platform/web/shell/HelpButton.tsx'
import { OwnLogo } from '../platform/web/shell/Logo.tsx'
import { MenuButton, MenuLink, MenuSections, type MenuSection } from '../platform/web/shell/Menu.tsx'
import { SearchButton } from '../platform/web/shell/SearchButton.tsx'
import { Shell } from '../platform/web/shell/Shell.tsx'
import { closeSupportWindow, openSupportWindow, useSupportWindow } from '../platform/web/support-window.ts'
import { useHasElapsed } from '../platform/web/use-has-elapsed.ts'
import { useRegions } from '../records/regions/web/queries.ts'
import { HelpWindows } from './help-windows.web.tsx'
import { WaitingMark } from './home/web/WaitingMark.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { openShortcut } from './shortcuts.web.ts'

import layoutClasses from '../platform/web/kit/Layout.module.css'
import textClasses from '../platform/web/kit/Text.module.css'
import classes from './frame.module.css'

const SupportRequestModal = lazy(() =>
  import('../features/changing/requests/web/SupportRequestModal.tsx').then((module) => ({ default: module.SupportRequestModal })),
)

const RequestChange = lazy(() => import('./requests.web.tsx').then((module) => ({ default: module.RequestChange })))

const Bulk = lazy(async () => {
  const [{ Bulk: Window }, { withRecordFeatures }] = await Promise.all([
    import('./bulk-change.web.tsx'),
    import('./record-features.web.tsx'),
  ])
  return { default: withRecordFeatures(Window) }
})

/** Loaded once the first page can be used. */
const Live = lazy(() => import('../features/changing/live/web/Live.tsx').then((module) => ({ default: module.Live })))
const LIVE_DELAY_MS = 1000

const LivePage = () =>
  useHasElapsed(LIVE_DELAY_MS) ? (
    <Suspense>
      <Live />
    </Suspense>
  ) : null

const SheetMenu = lazy(() => import('../features/changing/sheets/web/SheetMenu.tsx').then((module) => ({ default: module.SheetMenu })))

const renderSheetMenu = (props: EditInExcelProps) => <SheetMenu {...props} />

const NewCalendarFeedModal = lazy(() =>
  import('../features/deadlines/calendars/web/NewCalendarFeedModal.tsx').then((module) => ({ default: module.NewCalendarFeedModal })),
)

const SignInAgain = lazy(() => import('../features/access/session/web/SignInAgain.tsx').then((module) => ({ default: module.SignInAgain })))

const SignOutDialog = lazy(() =>
  import('../features/access/session/web/SignOutDialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

const loadPalette = () => import('../features/finding/search/web/Palette.tsx').then((module) => ({ default: module.Palette }))
const Palette = lazy(loadPalette)
/** The palette is loaded after the first page, so that the first Ctrl K does not have to wait; if that fails, it is loaded when it is opened. */
const PALETTE_DELAY_MS = 1000

/** Shown until the palette is, which takes the focus as this ends: no key is pressed in between. */
const LoadingPalette = () => {
  useLayoutEffect(keepTypedText, [])
  return null
}

/** The search palette of every page. */
const Search = () => {
  const { isOpen, text } = usePalette()
  // Effects run after the page is shown, and a key pressed in between would be lost.
  useLayoutEffect(() => {
    const stop = listenForPaletteKeys()
    return () => {
      stop()
      closePalette()
    }
  }, [])
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), PALETTE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOpen ? (
    <Suspense fallback={<LoadingPalette />}>
      <Palette text={text} onAction={(action) => (action === 'support' ? openSupportWindow() : goToSignOut())} />
    </Suspense>
  ) : null
}

const CopyOffer = lazy(() =>
  import('../features/access/offline/web/public/CopyOffer.tsx').then((module) => ({ default: module.CopyOffer })),
)
const OfflineLine = lazy(() => import('./offline.web.tsx').then((module) => ({ default: module.OfflineLine })))
const OfflineEnd = lazy(() => import('./offline.web.tsx').then((module) => ({ default: module.OfflineEnd })))

const SECTION_ICONS: Record<MenuSectionName, Icon> = { Locations: IconMapPin, Staff: IconUsers, Management: IconSettings }

/** The prefix of a page's path before its parameters: `/location/` of `/location/$slug`. */
const getPrefix = (path: string): string => path.replace(/\$.*/, '')

/** The menu's sections, with the pages that the user can open; empty sections are omitted. */
const useSections = (): readonly MenuSection[] => {
  const user = useUser()
  const { data: regions = [] } = useRegions()
  const states = regions
    .map(({ slug, name }) => {
      // The menu compares paths with that of the router, which is decoded.
      const to = decodeURIComponent(getRecordPath({ kind: 'region', slug }))
      return { label: name, to, covers: [`${to}/`] }
    })
    .toSorted((a, b) => a.label.localeCompare(b.label))
  return (Object.keys(SECTION_ICONS) as MenuSectionName[])
    .map((label) => ({
      label,
      icon: SECTION_ICONS[label],
      entries: PAGE_LIST.filter(
        ([, { menuSection, capability }]) =>
          menuSection === label && (capability === undefined || (user !== null && can(user.accessLevel, capability))),
      ).map(([to, { name }]) => ({
        label: name,
        to,
        covers: PAGE_LIST.flatMap(([path, { parent }]) => (parent === to ? [getPrefix(path)] : [])),
        ...(to === '/regions' ? { below: states } : {}),
      })),
      covers: PAGE_LIST.flatMap(([path, { opensSection }]) => (opensSection === label ? [getPrefix(path)] : [])),
    }))
    .filter(({ entries }) => entries.length > 0)
}

const MenuHead = () => (
  <div className={`${layoutClasses.rigidFlex} ${layoutClasses.row} ${classes.logo}`}>
    <OwnLogo />
    <span>Homeroom</span>
  </div>
)

const Menu = ({ close }: { close: () => void }) => (
  <>
    <MenuHead />
    <div className={classes.group}>
      <MenuLink label="Home" to="/" icon={IconHome} />
      <hr className={classes.line} />
      <MenuSections sections={useSections()} />
      <hr className={classes.line} />
      {useHasLevelFor('read a charter affair') ? (
        <MenuLink label="Deadlines" to="/deadlines" icon={IconCalendarDue} mark={<OverdueMark />} />
      ) : null}
      <MenuLink label="Insights" to="/insights" icon={IconChartLine} />
      <MenuLink label="Excel Downloads" to="/downloads" icon={IconDownload} />
      <MenuLink
        label={useHasLevelFor('answer requests') ? 'Requests' : 'My Requests'}
        to="/requests"
        icon={IconInbox}
        mark={<WaitingMark />}
      />
      {useHasLevelFor(SEE_EVERYTHING) ? <MenuLink label="Activity" to="/activity" icon={IconActivity} /> : null}
    </div>
    <div className={classes.last}>
      <MenuButton
        label="Support"
        icon={IconLifebuoy}
        onClick={() => {
          close()
          openSupportWindow()
        }}
      />
      <MenuButton label="Sign Out" icon={IconLogout} onClick={goToSignOut} />
    </div>
  </>
)

const renderMenu = (close: () => void) => <Menu close={close} />

const renderAccountMenu = (user: User) => (close: () => void) => (
  <>
    <p className={`${textClasses.small} ${layoutClasses.breakable} ${layoutClasses.vertical} ${classes.profile}`}>
      <span className={textClasses.strong}>{user.name}</span>
      {user.name === user.azureID ? null : <span className={textClasses.dimmed}>{user.azureID}</span>}
    </p>
    <MenuLink label="My account" to="/account" icon={IconUserCircle} />
    <MenuButton
      label="Sign Out"
      icon={IconLogout}
      onClick={() => {
        close()
        goToSignOut()
      }}
    />
  </>
)

const SignedIn = ({ user }: { user: User }) => {
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  const router = useRouter()
  const isOffline = useIsOffline()
  const hasCopy = useCopy() !== null
  const isOfferDue = useIsOfferDue()
  useEffect(() => void openShortcut(router).catch(() => undefined), [router]) // without an answer, the home page stays
  return (
    <>
      <Shell
        menu={renderMenu}
        bar={
          <>
            <span className={`${textClasses.truncated} ${layoutClasses.rigid} ${textClasses.strong} ${classes.welcome}`}>
              Welcome, {getFirstName(user.name)}!
            </span>
            <SearchButton brief={isHome} />
            <HelpButton />
            <BarMenu
              label="Your account"
              face={<Avatar name={user.name} size={32} photo={getCallUrl(readProfilePhoto, { params: { person: 'me' } })} />}
            >
              {renderAccountMenu(user)}
            </BarMenu>
          </>
        }
      >
        {isOfferDue ? (
          <Suspense>
            <CopyOffer />
          </Suspense>
        ) : null}
        {isOffline ? (
          <Suspense>
            <OfflineLine />
          </Suspense>
        ) : null}
        <EditInExcelContext value={renderSheetMenu}>
          <Outlet />
        </EditInExcelContext>
        {hasCopy ? (
          <Suspense>
            <OfflineEnd isOffline={isOffline} />
          </Suspense>
        ) : null}
      </Shell>
      <Search />
      <HelpWindows />
      {pastDay === undefined ? <LivePage /> : null}
    </>
  )
}

/** The window "New calendar feed", with the regions to choose from. */
const CalendarWindow = ({ about }: { about: CalendarTarget }) => {
  const { data: regions = [] } = useRegions()
  return <NewCalendarFeedModal about={about} regions={regions} onClose={closeCalendarWindow} />
}

/** The current page, and the windows that any page can open. */
export const Root = () => {
  const support = useSupportWindow()
  const change = useChangeWindow()
  const bulk = useBulkWindow()
  const calendar = useCalendarWindow()
  const isSignInRequested = useIsSignInRequested()
  const isSigningOut = useSignOutConfirmation()
  const router = useRouter()
  // Back, or a link, leaves a page together with its windows.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ hrefChanged }) => {
        if (hrefChanged) for (const close of [closeSupportWindow, closeChangeWindow, closeBulkWindow, closeCalendarWindow]) close()
      }),
    [router],
  )
  return (
    <>
      <Outlet />
      {support ? (
        <Suspense>
          <SupportRequestModal onClose={closeSupportWindow} />
        </Suspense>
      ) : null}
      {change ? (
        <Suspense>
          <RequestChange about={change} onClose={closeChangeWindow} />
        </Suspense>
      ) : null}
      {bulk ? (
        <Suspense>
          <Bulk target={bulk} />
        </Suspense>
      ) : null}
      {calendar ? (
        <Suspense>
          <CalendarWindow about={calendar} />
        </Suspense>
      ) : null}
      {isSigningOut ? (
        <Suspense>
          <SignOutDialog />
        </Suspense>
      ) : null}
      {isSignInRequested ? (
        <Suspense>
          <SignInAgain onLeave={() => resolveSignIn(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** Menu and top bar around the pages of signed-in users. A lost connection offers Retry and stays on the page. */
export const Frame = () => {
  const router = useRouter()
  const session = useSession()
  if (session.state === 'signed in') return <SignedIn user={session.user} />
  if (session.state !== 'no connection') return <Loading />
  return (
    <main className={layoutClasses.padding16}>
      <EmptyState icon={IconWifiOff} title="No connection" isPage>
        <p role="alert">{errorMessage(session.error)}</p>
        <EmptyStateActions>
          <Button onClick={() => void router.invalidate()}>Retry</Button>
        </EmptyStateActions>
      </EmptyState>
    </main>
  )
}

const MENU_WIDTHS = ['34%', '52%', '40%', '58%', '46%', '64%', '50%']
const renderMenuSkeleton = () => (
  <>
    <MenuHead />
    <div className={classes.group}>
      {MENU_WIDTHS.map((width) => (
        <Skeleton key={width} width={width} height={14} ml={8} mt={14} mb={24} />
      ))}
    </div>
  </>
)

/** The page's shape, shown until the session is known; nothing in it can be used. */
export const Loading = () => {
  const router = useRouter()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <>
      <VisuallyHidden role="status">Loading</VisuallyHidden>
      <div inert>
        <Shell
          menu={renderMenuSkeleton}
          bar={
            <>
              <Skeleton width={150} height={16} mr="auto" />
              <Skeleton circle height={32} />
            </>
          }
        >
          <PageSkeleton path={router.getMatchedRoutes(path)[0].at(-1)?.fullPath ?? path} />
        </Shell>
      </div>
    </>
  )
}
