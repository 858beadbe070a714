/** Groups of a name and its nicknames; every word of a group finds the others. */
const GROUPS = `
aaron ron ronnie | abigail abby abbie gail | abraham abe bram | adelaide addie della | adriana adri ana | adrian ade | agnes aggie
agnieszka aga agnes | albert al bert bertie | alejandro alex ale jandro | alejandra alex ale
alexander alex al alec sandy xander lex sasha | alexandra alex sandra sandy lexi sasha alexa | alfonso al fonzo poncho
alfred al fred alfie | alfredo al fredo freddy | alice ali allie | alicia ali lisa licha | allison ali allie | alonzo al lon lonnie
amanda mandy mandi | amelia amy mia millie | anastasia stacy ana | andre andy dre | andrea andie andy drea | andreas andy
andrew andy drew | angela angie ange | angelica angie gely | angelina angie lina | anna ann annie anne nan | anneliese anne liese annie
annika anna annie | anthony tony ant | antonio tony tono toni | antoinette toni nettie | archibald archie | arnold arnie
arthur art artie | arturo art turo | augustus gus augie | barbara barb barbie babs bobbie | bartholomew bart | beatrice bea trixie bee
beatriz bea betty bety | benedict ben | benjamin ben benji benny | bernard bernie barney | bernadette bernie detta | bertha bertie
bradley brad | brandon bran | brenda bren | brian bry | bridget biddy bridie bridge | bruce brucie | byron by | caleb cal | calvin cal
cameron cam | camille cami millie | carmen carmie | carol carrie | caroline carol carrie caro lina | carolyn carol lynn carrie
carlos carlitos charlie | carlota carla lottie | cassandra cass cassie sandra | catalina cat cata lina
catherine cathy kate katie cat kitty kat kathy | cecilia cece celia cecily cissy | cesar chayo | charles charlie chuck chas chip
charlotte charlie lottie char lotte | chester chet | cheryl cher sherry | christian chris | christina chris tina chrissy christy
christine chris tina chrissy christy | christopher chris topher kit | clarence clare | claudia claude | clifford cliff | clinton clint
clyde cly | concepcion concha connie | constance connie | consuelo chelo connie | corinne cory corrie rinne | cornelius neil connie
courtney court | craig craigie | crystal cris | curtis curt | cynthia cindy cyndi | damian dame | daniel dan danny dani | daniela dani ela
danielle dani elle | darlene darla | darnell dar | darrell darry | david dave davey davy | dawn dawnie | deborah deb debbie debby debra
deirdre dee | delphine del | delores dee lola | denise dee denny nise | dennis den denny | derek del | desmond des desi | diana di dee
dolores lola dee | dominic dom nick | dominique dom nikki | donald don donnie donny | donna don | dorothy dot dottie dolly dora
douglas doug dougie | duane dewey | dwight ike | edgar ed eddie | edmund ed eddie ned ted | eduardo ed eddie lalo
edward ed eddie ted ned teddy | edwin ed eddie win | efrain efra | elaine lainie ellie | eleanor ellie nora nell lenny
elena ellie lena nena | elijah eli | elizabeth liz lizzie beth betsy betty eliza lisa libby bess ellie lizbeth | ella ellie
ellen ellie nell | emily em emmy millie | emma em emmy | enrique rick quique kike | eric rick ricky | ernest ernie | ernesto ernie neto
esperanza espi hope | esther essie hettie | ethan eth | eugene gene | evelyn eve evie lynn | everett ev rhett | ezekiel zeke | ezra ez
fatima fati | felicia fel | felix fee | fernando fern nando | florence flo flossie | frances fran frannie francie
francis frank fran frankie | francisco frank paco pancho cisco kiko | franklin frank | frederick fred freddy freddie rick fritz
gabriel gabe gabby | gabriela gabby gaby gabi | gabrielle gabby elle | gavin gav | genevieve gen evie viv | geoffrey geoff jeff
george georgie geo | georgia georgie | gerald gerry jerry | geraldine gerry | gerardo gerry lalo | gilbert gil bert | giovanni gio vanni
gloria glo | gordon gord gordy | grace gracie | gregory greg gregg | greta gretchen | griselda zelda gris | guadalupe lupe lupita
guillermo memo will | gustavo gus tavo | hannah hanna | harold harry hal | harriet hattie harry | harrison harry | harry hank
harvey harv | hector tito | heather hetty | helen nell lena nellie | henry hank harry hal | herbert herb bert | hollis holly
howard howie | hubert hugh bert | ibrahim abe ibra | ignacio nacho | imogen immy | ines agnes | ingrid inga | irene rene | isaac ike zac
isabel izzy bella bel isa belle | isabella izzy bella bel isa | isaiah ike | ivan van | jacob jake jay | jacqueline jackie jacqui
james jim jimmy jamie jem | jamal jam | jane janie | janet jan | janice jan | jason jay jase | javier javi xavi | jean jeannie
jeffrey jeff geoff | jeffery jeff | jennifer jen jenny jenn | jeremiah jerry jem | jeremy jerry jem | jerome jerry | jessica jess jessie
jesus chuy chucho | joan joanie | joanna jo joanie | joaquin quino joe | jocelyn joss joy | jonah joe | john johnny jack jon jonny
jonathan jon jonny john nathan | jorge george coque | jose pepe joe chepe | josefina josie fina pepa | joseph joe joey jo
josephine jo josie fina | joshua josh | juan johnny juanito | juanita nita | judith judy jude | julia julie jules | julian jules
julie jules | justin jus | karen kari | katherine kate katie kathy kat kitty kay kathie | kathleen kathy kate katie kay
kathryn kathy kate katie kat kay | katarina kat kate kati rina | keith kei | kelly kel | kenneth ken kenny | kevin kev
kimberly kim kimmy | kristen kris kristy | kristina kris tina kristy | kwame kwa | lamar mar | lawrence larry laurie lars | leilani lani
leonard len lenny leo | leonardo leo nardo | leopold leo | leroy roy lee | leslie les | leticia letty tish lety | lewis lew lou
lillian lil lily lilly | linda lin lindy | lindsay lin | lloyd loy | lorraine lori lorrie rainey | louis lou louie | louise lou lulu
lucas luke | lucia lucy lucha | lucille lucy lucille | lucinda lucy cindy | luis lou lucho | lydia liddy | madeline maddie maddy
magdalena magda maggie lena | malcolm mal | manuel manny manolo | marcia marcy | marcus marc mark
margaret maggie meg peggy marge margie madge rita greta daisy | margarita margo rita maggie | marguerite margo maggie daisy rita margie
maria mary mia mari | mariama mari | maribel mari bel | maricela mari chela | marilyn mary lynn | marisol mari sol | marjorie marge margie
mark marc | martha marty mattie | martin marty mart | marvin marv | mary molly polly mae | mateo matt teo | matilda tilly mattie
matthew matt matty | maureen mo | maurice mo | maximilian max | maximiliana max maxi | maxwell max | melanie mel | melinda mel mindy
melissa mel missy lissa | melvin mel | mercedes mercy meche | meredith merry | micah mike | michael mike mikey mick mickey | micheal mike
michelle shelly mich chelle | miguel mike mickey | mildred millie | miriam mimi mim | mitchell mitch | mohammed mo | monica mo moni
montgomery monty | morris mo | moses moe | muhammad mo | nadia nadi | nancy nan | naomi nomi | nathan nate nat | nathaniel nate nat nathan
nicholas nick nicky nico | nicolas nico nick | nicole nikki nicky nic | noelle ellie nell | nolan nole | norman norm | octavia tavia tavy
oliver ollie | olivia liv livvy ollie | osvaldo ozzie valdo | oscar oz ozzie | pamela pam | paloma pal
patricia pat patty trish tricia patsy | patrick pat paddy rick | paul paulie | paula polly | pauline paula polly | pedro pete
penelope penny nell | percival percy | peter pete | philip phil pip | phillip phil pip | philippa pippa pip | phoebe fee | phyllis phil
priscilla cilla prissy | priyanka pri priya | rachel rae | rafael rafa ralph | ramon ray moncho | randall randy | randolph randy
rashad rash | raul ralph | raymond ray | rebecca becca becky bec | reginald reggie reg | reggie reg | regina gina reggie | renee ren
rene ren | ricardo rick ricky rico | richard rick dick rich ricky richie | robert bob bobby rob robbie bert robby
roberta bobbie robbie berta | roberto bob bobby beto rob | rodney rod | rodrigo rod rigo | rogelio roger roy | roger rodge | roland rollie
ronald ron ronnie | rosa rosie rosita | rosalind roz rosie lindy | rosemary rose rosie | rosario charo | rose rosie | ruben rube benny
rudolph rudy | rudolfo rudy | russell russ rusty | ruth ruthie | salvador sal chava | samantha sam sammy | samuel sam sammy | sandra sandy
sanjay jay | santiago santi diego | sarah sally sadie | sebastian seb bas | sergio serge checo | sharon shari | shirley shirl
sigrid siri | silas si | silvia sil | simon si | simone mona | siobhan shiv | soledad sole | sofia sofi | sophia soph sophie
stanley stan | stella stel | stephanie steph stevie | stephen steve stevie steph | steven steve stevie | stuart stu | sunita suni sunny
susan sue susie suzie | susana susy susie | suzanne sue suzie | sydney syd | sylvia syl | tamara tammy tam mara | tamsin tam tammy
teresa terry tess tere | terence terry | terrence terry | thaddeus tad thad | theodore ted teddy theo | theresa terry tess tessa
thomas tom tommy | timothy tim timmy | tobias toby tobe | todd toddy | tracy trace | trevor trev | tyler ty | tyrone ty | ursula ursie
valentina val tina | valerie val | vanessa nessa van | vernon vern | veronica ronnie vero roni | vicente chente vince | victor vic
victoria vicky tori vic | vincent vince vinny | virginia ginny ginger | vivian viv vivi | walter walt wally | warren ren
wendell wen dell | wesley wes | wilfred will fred wilf | wilhelmina mina billie willa | william bill billy will willy liam willie
winifred winnie fred | winston win | xavier xavi zave | ximena xime mena | xiomara xio mara | yesenia yesi jessie | yolanda yoli yola
yvonne von vonnie | zachary zach zack | zainab zee | zoe zo
`
  .split(/[|\n]/)
  .map((group) => group.trim().split(' '))

/** The related names and nicknames of each name, in byte order. */
export const NICKNAMES: ReadonlyMap<string, readonly string[]> = (() => {
  const related = new Map<string, Set<string>>()
  for (const group of GROUPS) for (const name of group) related.set(name, new Set([...(related.get(name) ?? []), ...group]))
  return new Map([...related].map(([name, names]) => [name, [...names].filter((other) => other !== name).toSorted()]))
})()
