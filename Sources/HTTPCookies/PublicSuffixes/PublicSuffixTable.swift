// Written by `Scripts/public-suffix-table`; not to be edited.
// prose: table
//
// Source: the Public Suffix List (https://publicsuffix.org/list/) of 2026-08-19, its ICANN and its
// private section: 10248 rules.
// Commit e8c9a2b2b2856b6449999dd0ec0d118f364ed0cd of https://github.com/publicsuffix/list;
// SHA-256 of the sorted rules: 63530d82d234c7f6bc5f1695aca51c81366f4219a910b5f4e3615a037cd10200.
//
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy
// of the MPL was not distributed with this file, You can obtain one at
// https://mozilla.org/MPL/2.0/. The licence concerns this file only.

/// The rules of the Public Suffix List, packed: see ``PublicSuffixList``.
enum PublicSuffixTable {
    static let date = "2026-08-19"

    /// The strings that stand for `#`, `$`, `%` and so on: see ``PackedRules``.
    static let abbreviations =
        """
        ualstack.s3 -accesspoint DnetDorg ud9.webview-ass ra st er -prodZ notebook DeduDgo 3-object\
        -lambda F.ccGk12Glib website in t'nsf)-webapp an cloud shi ma -1. en or xecute-api ka mr(ud\
        io, em'ppui, airflow* lambda-url ws-clo&ets -fips C.com spreadshop ea(- -c{t'l south ¢mr/s,\
        ¡}Ys3Z3$Z us)cont{t lytics-gatewayZ tsu tirol Dmil gawa chi Dgov [9.vfsZ (udio emr/s, Y¶lo&\
        etsYd#Z#$ C.ac auth DnameEetD|g Dco Dnet Zt-2.
        """

    static let rules =
        """
        aaaCrpBbbDottDvieCcCleCogadoCudhabiBc§DdrrDeduDfeedbackE|msµ ac.mil%DschCademyH.officialCc{\
        tureDount@tKsCoCt|BdCsCultBeº ae.coµ²%DschCgCroE.accid{t->ve(igationOprev{tionG)obaticJclub\
        JdromeGg{tsGir-surveill@ceJt'ffic-control aero.aircraftIl>eIp|tIt'fficGmbul@ceGssociationGu\
        th|Fballoon>gGrok)FcaaHrgoHt)>gG)tificationGhampion]pIrt)Givilaviation aero.clubGonf){ceIsu\
        lt@tM>gItrolHuncilGrewFdesignGgcaFeducat|Gm)g{cyGng>eL)Ht)ta>m{tGquipm{tGxch@ge aero.expres\
        sFfede'tionGlightGreightGuelFglid>gGov)nm{tGroundh@dl>gJpFh@gglid>gGomebuiltF>su'nceFjourna\
        lMi(Fleas>gGogi(ics aero.magazineH>t{@ceHrketplaceGediaGicrolightGodell>gFnavigationFpa'chu\
        t>gJglid>gHss{g)-associationGilotGressHoductionFrecreationHpbodyHs aero.researchGot|c'ftFsa\
        fetyGci{ti(G)vicesGhowGkydiv>gGoftwareGtud{tFtaxiG'd)J>gI>)FunionFw|k>ggroupJs aetnaBf§:v%C\
        lCricaBgC.coFm¾EomDobjErg agakhanC{cyBi§Df'm)Dkiloapps¾DoffErgDuwuCgCrbusDf|ceDtelBkdnBl al\
        .com:v²%CibabaDpayClf>@zD(ateDyCsaceDtomBmC.coFm am.commune%D'dioCazonC)ic@expressIfamilyDx\
        CfamCicaC()damBnalyticsCdroidCqu@CzBo ao.coDedFuµEvDitDogErgDpbClBpartm{tsCpD.aiv{Ebase44Fe\
        get*Fotdash app.braveJ.s*EclaudeG)kJ(ageGoudflareFodep{GnvexGrespeedFsbH.previewEdevelop)*E\
        e2bFasyp@elFdgecomputeFncr app.encr.frontendFv)vault.relayFxpoI.onJ(ag>gQ.onEflutt)flowF'm)\
        EgadgetFithubEhackclubGsu'Fo(ed*EleapcellFog>l>eGvable app.luyaniE^gicpatt)nsFedusajsGss)li\
        Fir{FochaEnetlifyFgrokJ-freeFoopGrthfl@k*FyatEon-fleekGdigitaloce@Gh)culesEpplx app.puterE'\
        ilway.upFeplitK.idFun*H.mtls*E]ptodayFnowflake*N.privatel>k*FpawnbaseGritesFtreamlitEtelebi\
        tFypedreamEupsun*Ev)cel app.walGsm)FebF>dsurfFnextEzeaburGrops*DleF.>tJ.[*P.r*R.ap-n|th-1*V\
        «-1*Zh-2*Seuª-1*Vn|th-1* apple.int.cloud.r.us-central-1*Z'l-2*V©1*Z-2*Vwe(-1*Z-2*Z-3*BqCuar\
        elleBrC.bet½mFop:bFv ar.int²EusicaFtual%DsegFnasaDturCabDmcoC´CmyCpaE.e164Fhome arpa.in-add\
        rGp6GrisFuriHnCtDeBsC.govCdaCiaE.[nsFdaemonGixCsociatesBt at.123webseiteFhpD2ixD4Eli^DacF.(\
        h½DdnshomeDfunkfeu).wi{Fturecms*M.ex*N>*Jho(>gJ^il>gDgv at.lima-cityDmyF¨D|Fts>fo.ex*Mkund{\
        *DprivChletaCt|neyBuºtEsn½mG.[lets.melHmy¨Fnf au.eduG.actHcatholicHnswItHqldHsaHtasHvicHwaµ\
        G.qldHsaHtasHvicHwa au.id¾EswEtD|gEzDqldDsaDtasDvicDwaCctionCdiEbleEoCspo( authorDoEsBw§CsD\
        .on.af-«`£S¤S?Ip-ea(`£R¤R?Kn|thea(`£W¤W?U2.£ aws.on.ap-northeast-2.lambda-urlW?U3.£W¤W?K«`£\
        S¤S?Q2.£S?Pea(`£W¤W?U2.£W¤W? aws.on.ap-southeast-3.airflow*W¤W?U4.£W?U5.£W?U7.?Hcaª`£U¤U?Kw\
        e(`£R?Heuª`£U¤U? aws.on.eu-central-2.airflow*U?Kn|th`£S¤S?K«`£S¤S?Q2.£S?Kwe(`£R¤R?P2.£R¤R? \
        aws.on.eu-west-3.airflow*R¤R?Hilª`£U?Hmeª`£U?K«`£S¤S?Ixª`?Hsa-ea(`£R¤R?Hus-ea(`£R¤ aws.on.u\
        s-east-1.transfer-webappP2.£R¤R?Kgov-ea(`?Zsf)-webapp¦Owe(`?Zsf)-webapp¦Kwe(`£R¤R?P2.£R¤R?E\
        repo(.private*Esage^k).af-«`/ aws.sagemaker.af-south-1.studioPp-ea(`/Y·Rn|thea(`label>gZt`/\
        Zt`·¿label>g¿/¿·Zt-3./Zt-3.·R«`label>gZ/Z·X2./Wea(`label>g aws.sagemaker.ap-southeast-1.not\
        ebookZt`·¿label>g¿/¿·Zt-3./Zt-3.·Zt-4./Ocaª`label>gZ1./Z1./¦Z1.·Rwe(`/Zotebook¦Oeuª`label>g\
        Z1./ aws.sagemaker.eu-central-1.studioZ2./Z2.·Rn|th`/Z·R«`/Z·X2./Z·Rwe(`label>gY/Y·W2.label\
        >gY/Y·W3./ aws.sagemaker.eu-west-3.studioPxp)im{ts*Oilª`/Z1.·Omeª`/Z1.·R«`/Z·Osa-ea(`/Y·Ous\
        -ea(`label>gY/Zotebook¦Y·W2.label>gY/ aws.sagemaker.us-east-2.notebook-fipsY·Rgov-ea(`/Z`/¦\
        Z`·Z`·¦Vwe(`/Z`/¦Z`·Z`·¦Rwe(`/Zotebook¦Y·W2.label>gY/Zotebook¦ aws.sagemaker.us-west-2.stud\
        ioBxCaBzC.biz½Fm:vD>foFt²¼Dpp az.proCureAbaC.br{dly.shop½m:v²%DrsCbyCiduCnamexDdDk barD.res\
        olveDcelonaElaycardHsDefootDga>sCseballDketballK.ausLnzCuhausCy)nBbC.biz½ bb.com:vD>fo%D(|e\
        DtvCcCtCvaBcgCnBdºEi bd.coFm:vDidEnfoEt²%DschDtvBeC.123=DacD[ns be.interhostsolutions.cloud\
        Dkuleuv{.ezproxyDmyF¨Dt'nsurl*Dwebho(>gCatsDutyC)Crl>G.ddnsC(EbuyCtBfC.gov bgC.0D1D2D3D4D5D\
        6D7D8D9DaDbEarsyDcDd bg.eDfDgDhDiDjDkDlDmDnDoDpDqDrDsDt bg.uDvDwDxDyDzBh§:v%CartiBiC.coFm b\
        i.eduD|FgCbleCdCkeCngEoCoCzD.activet'ilE[-ipJnsEds[FyndnsEf|-bett) biz.for-moreIsomeItheEjo\
        ziEm^f@FyftpEno-ipE|xEselfipEwebhopBjC.africaEgroEr´tectesEssurEvocats bj.coFmDecoGnoEduD>f\
        oDloisirsDmoney%EteDre(au'ntHoDtourismDunivBlack blackfridayCockbu()DgDomb)gCueBm§:v%CsCwBn\
        C.coFm bn.eduµ%CpparibasBoºademiaEgroErteDblogEoliviaDci{ciaEomFope'tivaDdemoc'ciaFp|te bo.\
        ecologiaGnomiaEduEmpresaDgobD>dig{aGu(riaFfoFtDmedic>aEilEovimi{toEusicaDnatu'lEetEombre bo\
        .noticiasD|gDpatriaElur>acionalEoliticaErofesionalEuebloDrevi(aDsaludDtecnologiaEksatE'nsp|\
        teEvDwebEikiCats boehringerCfaCmCndCoDkE>gCschDtikEonCtCutiqueCxBrC.9guacuDabc br.admFvEgrE\
        juEmEn@iEparecidaFiFpErqFtEtoDbEaru)iEelemFt br.bhzEibFoElogEmdEoavi(aEsbDcamp>ag'ndeKsFxia\
        sEimEngFtEomG.simplesiteFntagem br.coopFzEriEuiabaFritibaDdefFsFtFvDecnFoEduEmpEnfFgEsp br.\
        etcFiDfarEei'ElogGripaEmEndE|talFtFzE(Dg12EeoEgfEoi@ia br.govG.acIlImIpHbaHceHdfHesHgoH^IgI\
        sItHpaIb br.gov.peIiIrHrjInIoIrIsHscIeIpHtoEruDiaEmbEnd br.infDjabFmpaEdfEo>villeFrEusDlegG\
        .acIlImIpHbaHceHdfHes br.leg.goH^IgIsItHpaIbIeIiIrHrjInIoIrIsHsc br.leg.seIpHtoFilaoFlEogFn\
        dr>aD^capaGeioFnausFr>gaFtEedEilE|{aEp br.musDnatalEetEit)oiEom*FtEtrDodoEngErgEsascoDpal^s\
        EoaEpgEroEsc br.psiEvhDqslD'dioEecGifeFpEibei'oFoGb'ncoGpretoDsalvad|FmpaFnta^riaHo@dreFob)\
        nardo br.saogoncaEegEjcElgFzEocialFrocabaErvDtaxiEcFheEecFoEheEmpErd br.turEvDudiDvetEixElo\
        gDwikiDxyzDzlgCadescoCidge(oneCoadwayDk)Dth)CusselsBs bs.com:v%DweBt§:v%BuildF.]ptodayGv0Gw\
        >dsurf buildersI.[siteCs>essI.coCyCzzBvBwº½µ%By§µ by.mediatechEilDofBzC.coFm:vEsjDmydns%Dza\
        ChAcaC.ab ca.awdev*DbarsyEcEox½DgcDmbEy¨DnbEfElEo-ipEsEtEuDon ca.onidDpeDqcDskDykCbCfeClDlD\
        v>kle>CmDe'DpE.emf.atCnonCpetown capitalHoneCrDav@DdsDeE)GsDsCsaE.nabu.uiDeE.savDhD>oCt cat\
        eringDholicBbaCnCreBcC.ccwuEleve'ppsFoud-ipInsEsxDecEuDf@tasyleagueEtpaccessDgame-s)v) cc.g\
        uDmyphotosDsc'pp>gEpawn.>(@cesEryzeDtw^ilDukEsBdC.ccµB{t)CoCrnBfCa cfdBgBhC.123=FhpD2ixD4li\
        ^D[nsIscale.cu(Olpg.objectsOr^.objectsDdnsk>gDfir{et*K.svc*Elow.ae.alp1Jpp{g>e ch.gotdnsDli\
        ^-cityFnkyard-[Dmy¨Dobject(o'ge.lpgRr^Dsquare7C@elEnelDrityDseDtCeapC>taiCri(^sDome churchB\
        iºEsso½FmDedFuDgoFuvD>t¾D|FgDusDxn--arop|t-bya ciprianiCrcleCscoCtadelDiEcDyBk*C.www!BlC.[n\
        sEoDgobFv²Caims cleaningCickDnicFqueCoth>gDudF.@tagoni(Hxarnet.es-1Gbegetcdn*GconvexM.eu-we\
        (-1Nus-©1GdiademHnshomeGelem{t|Hm)g{t cloud.encoway.euGh(grGjela(ic.vipJeInv-aruba.aruba.eu\
        r.it1Rit1HoteKluluGk2.ela(icJru-msk.lbQs3Q=Mspb.lbQs3Q=Js3 cloud.k2.websiteHeliwebN.csHuleu\
        v{Gla'velH>kyardG^g{tosite*ItlabGobs)vablehqHn-'nch)*Il>e-s)v)I(ackit.runsHxaJ.tnKukGp)spec\
        ta cloud.primetelO.ukG'v{dbHeclaim.caOukPsGscw.baremetal.fr-par-1Zr-2Unl-ams-1Kfr-par.cockp\
        itRddlStwhRfncU.functionsRifrRk8s cloud.scw.fr-par.k8s.nodesSafkRmgdbRrdbRs3T-=ScblRwhmK>(@\
        ces.privVubKk8sKnl-ams.cockpitRddlStwhRifrRk8s cloud.scw.nl-ams.k8s.nodesSafkRmgdbRrdbRs3T-\
        =ScblRwhmKpl-waw.cockpitRddlStwhRifrRk8sU.nodesSafkRmgdb cloud.scw.pl-waw.rdbRs3T-=ScblKsca\
        lebookL^rtlabel>gH)veboltHtatics*Gt'fficplexI{dho(>g.chTdeGunison-s)vicesHrownGvap|Ho|lop)G\
        zap clubE.barsyF[nsFjeleEmedBmC.coFmµ¾BnºEhDbjDc@va-appsIsite.my cn.comG.a^zonaws.airflow.c\
        n-n|th-1*Zcn-n|thwe(-1*Rcn-n|th`d#Z`d#$Z`d#-=Z`¢`¸`e¡`e}Z`rds*Z`s3Z`s3$Z`s3-deprecatedZ`s;Z\
        `s3-= cn.com.amazonaws.cn-northwest-1.dualstack.s3Zwe(`d#$Zwe(`¢we(`¸we(`e¡we(`e}Zwe(`rds*Z\
        we(`s3Zwe(`s3$Zwe(`s;Zwe(`s3-=Sompute*Reb.cn-n|th-1Zrthwe(-1Slb*Nwebs)vices.on.cn-n|th`£ cn\
        .com.amazonwebservices.on.cn-north-1.transfer-webappZon.cn-n|thwe(`£Zon.cn-n|thwe(`?Hsage^k\
        ).cn-n|th`/Z`·Zwe(`/Zwe(`·EqDeduDfjDgdEovEsExEzDha cn.hbEeEiEkElEnDjlEsExDkhsjDln²EoEyqnap[\
        ¾Em cn.nxD|gDqhEuickconnect.directDscEdEhF.asEnExDtjEwDxjEn--55qx5dHio0a7iHod0alg cn.xzDynD\
        zjBoC.carrdEomErdDeduDfirewalledreplitT.idµDhidnsDleadpagesEpages²Eypi co.netEomD|gEtap*Drd\
        pa.clu()s*Isrvrless*EeplH.idDsupabaseL.realtimeM(o'geDumsoDxmit*CachCdesF.owo* coffeeCllege\
        DogneCmD.0emm*E180rFcooldnsF~ppE3utilitiesE4uEa2ho(edFbrdnsFdobeaem[R.dev*FfricaFiv{[* com.\
        aliases121Hbaba[csGpha-myqnap[F^zonaws.af-«`a¥Z¶clo&etsZd#Zd#$Zd#-=Z¢¸e¡e}Zs3Zs3$Zs; com.am\
        azonaws.af-south-1.s3-websitePirflow.af-«-1*Xp-©1*Zn|th©1*Zn|th©2*Zn|th©3*Z«-1*Z«-2*Z«©1*Z«\
        ©2*Z«©3*Z«©4*Z«©5*Z«©7*Wcaª-1*Zwe(-1* com.amazonaws.airflow.eu-central-1*Zc{t'l-2*Zn|th-1*Z\
        «-1*Z«-2*Zwe(-1*Zwe(-2*Zwe(-3*Wilª-1*Wmeª-1*Z«-1*Wsa-©1*Wus-©1*Z©2*Zwe(-1*Zwe(-2* com.amazo\
        naws.ap-east-1.aws-cloud9.webview-assets¹Y¬;Z3-=Rn|thea(`@a¯t`a¥Zt`[9.vfs com.amazonaws.ap-\
        northeast-1.cloud9.webview-assetsZt`d#Zt`d#$Zt`d#-=Zt`¢t`¸t`e¡t`e}Zt`s3Zt`s3$Zt`s;Zt`s3-=¿@\
        a¯t-2.a¥¿¶t-2.clo&ets com.amazonaws.ap-northeast-2.dualstack.s3¿d#$¿d#-=¿¢t-2.¸t-2.e¡t-2.e}\
        ¿s3¿s3$¿s;¿s3-=Zt-3.a¥Zt-3.¶t-3.clo&etsZt-3.d#Zt-3.d#$ com.amazonaws.ap-northeast-3.dualsta\
        ck.s3-websiteZt-3.¢t-3.¸t-3.e¡t-3.e}Zt-3.s3Zt-3.s3$Zt-3.s;Zt-3.s3-=R«`@a¯a¥Z¶clo&etsZd#Zd#$\
        Zd#-= com.amazonaws.ap-south-1.emrappui-prodZ¸e¡e}Zs3Zs3$Zs;Zs3-=X2.d#Zd#$Zd#-=Z¢¸e¡e}Zs3 c\
        om.amazonaws.ap-south-2.s3-accesspointZs;Zs3-=Wea(`@a¯t`a¥Zt`¶t`clo&etsZt`d#Zt`d#$Zt`d#-=Zt\
        `¢t`¸t`e¡t`e}Zt`s3Zt`s3$ com.amazonaws.ap-southeast-1.s3-object-lambdaZt`s3-=¿@a¯t-2.a¥¿¶t-\
        2.clo&ets¿d#¿d#$¿d#-=¿¢t-2.¸t-2.e¡t-2.e}¿s3¿s3$¿s; com.amazonaws.ap-southeast-2.s3-websiteZ\
        t-3.d#Zt-3.d#$Zt-3.d#-=Zt-3.¢t-3.¸t-3.e¡t-3.e}Zt-3.s3Zt-3.s3$Zt-3.s;Zt-3.s3-=Zt-4.d#Zt-4.d#\
        $Zt-4.d#-=Zt-4.em'ppui-prod com.amazonaws.ap-southeast-4.emrnotebooks-prodZt-4.e¡t-4.e}Zt-4\
        .s3Zt-4.s3$Zt-4.s;Zt-4.s3-=Zt-5.d#Zt-5.d#$Zt-5.d#-=Zt-5.e}Zt-5.s3Zt-5.s3$Zt-5.s3-deprecated\
        Zt-5.s;Zt-5.s3-= com.amazonaws.ca-central-1.aws-cloud9.webview-assetsZ1.¶1.clo&etsZ1.d#Z1.d\
        #$Z1.d#$¦Z1.d#¦Z1.d#-=Z1.¢1.¸1.e¡1.e}Z1.s3Z1.s3$Z1.s3$¦Z1.s3¦ com.amazonaws.ca-central-1.s3\
        -object-lambdaZ1.s3-=Rwe(`d#Z#$Z#$¦Z#¦Z#-=Y¬3$¦Z3¦Z; com.amazonaws.ca-west-1.s3-websitePomp\
        ute*V-1*Oelb*Puª`@a¯1.a¥Z1.¶1.clo&etsZ1.d#Z1.d#$Z1.d#-=Z1.¢1.¸1.e¡1.e}Z1.s3 com.amazonaws.e\
        u-central-1.s3-accesspointZ1.s;Z1.s3-=Z2.d#Z2.d#$Z2.d#-=Z2.¢2.¸2.e¡2.e}Z2.s3Z2.s3$Z2.s;Z2.s\
        3-=Rn|th`a¥Z[9.vfs com.amazonaws.eu-north-1.cloud9.webview-assetsZd#Zd#$Z¢¸e¡e}Zs3Zs3$Zs;Zs\
        3-=R«`a¥Z¶clo&etsZd#Zd#$ com.amazonaws.eu-south-1.dualstack.s3-websiteZ¢¸e¡e}Zs3Zs3$Zs;Zs3-\
        =X2.d#Zd#$Zd#-=Z¢¸e¡e} com.amazonaws.eu-south-2.s3Zs3$Zs;Zs3-=Rwe(`@a¯¥¹Z#-=Y¢mr/s,¡}Ys3 co\
        m.amazonaws.eu-west-1.s3-accesspointZ3-deprecatedZ;Z3-=W2.a¥¹Y¬; com.amazonaws.eu-west-2.s3\
        -websiteW3.a¥¹Z#-=Y¬;Z3-=Oilª`a¥ com.amazonaws.il-central-1.cloud9.vfsZ1.d#Z1.d#$Z1.d#-=Z1.\
        ¢1.¸1.e¡1.e}Z1.s3Z1.s3$Z1.s;Z1.s3-=Omeª`d#Z1.d#$Z1.d#-=Z1.em'ppui-prod com.amazonaws.me-cen\
        tral-1.emrnotebooks-prodZ1.e¡1.e}Z1.s3Z1.s3$Z1.s;Z1.s3-=R«`a¥Z¶clo&etsZd#Zd#$Z¢¸e¡e} com.am\
        azonaws.me-south-1.s3Zs3$Zs;Zs3-=Ords.af-«-1*Tp-©1*Z-2*Vn|th©1*Zh©2*Zh©3*V«-1*Zh-2*Zh©1*Zh©\
        2*Zh©3*Zh©4* com.amazonaws.rds.ap-southeast-5*Zh©6*Zh©7*Scaª-1*Vwe(-1*Seuª-1*Z'l-2*Vwe(-1*Z\
        -2*Z-3*Silª-1*Smeª-1*V«-1*Txª-1*Ssa-©1*Sus-©1* com.amazonaws.rds.us-east-2*Vgov-©1*Zwe(-1*V\
        n|th©1*Vwe(-1*Z-2*Os3Q-1Rap-©1Un|th©1Z©2Z©3U«-1Z©1Z©2Rcaª-1 com.amazonaws.s3-eu-central-1Un\
        |th-1Uwe(-1Z2Z3Sxt)nal-1Rfips-us-gov-©1Zgov-we(-1Rglobal.accesspo>t.m'pRme-«-1Rsa-©1Rus-©2U\
        gov-©1Ywe(-1Uwe(-1Z2 com.amazonaws.s3-website-ap-northeast-1Zap-«©1Zap-«©2Zeu-we(-1Zsa-©1Zu\
        s-©1Zus-gov-we(-1Zus-we(-1Zus-we(-2Pa-ea(`a¥¹Z#-=Yem'ppui-prod com.amazonaws.sa-east-1.emrn\
        otebooks-prodZ¡}Ys3Z3$Z;Z3-=Ous-©1X.@a¯¥¹Z#$¦Z#¦ com.amazonaws.us-east-1.dualstack.s3-websi\
        teY¬3$¦Z3-deprecatedZ3¦Z;Z3-=W2.@a¯¥Y¶lo&ets com.amazonaws.us-east-2.dualstack.s3Z#$Z#$¦Z#¦\
        Z#-=Y¬3$¦Z3-deprecatedZ3¦Z;Z3-= com.amazonaws.us-gov-east-1.dualstack.s3Z`d#$Z`d#$¦Z`d#¦Z`d\
        #-=Z`¢`¸`e¡`e}Z`s3Z`s3$Z`s3$¦Z`s3¦Z`s;Z`s3-=Vwe(`d# com.amazonaws.us-gov-west-1.dualstack.s\
        3-accesspointZ`d#$¦Z`d#¦Z`d#-=Z`¢`¸`e¡`e}Z`s3Z`s3$Z`s3$¦Z`s3¦Z`s;Z`s3-=Rwe(`a¥Y[9.vfs com.a\
        mazonaws.us-west-1.cloud9.webview-assetsYd#Z#$Z#$¦Z#¦Z#-=Y¬3$¦Z3¦Z;Z3-= com.amazonaws.us-we\
        st-2.analytics-gatewayZ¥¹Z#$¦Z#¦Z#-=Y¬3$¦ com.amazonaws.us-west-2.s3-deprecatedZ3¦Z;Z3-=Kco\
        gnito.af-«`»Tp-ea(`»Vn|thea(`»Zh©2.»Zh©3.»V«`»Zh-2.»Zhea(`»Zh©2.»Zh©3.»Zh©4.»Zh©5.» com.ama\
        zoncognito.ap-southeast-7.authScaª`»Vwe(`»Seuª`»Z'l-2.»Vn|th`»V«`»Zh-2.»Vwe(`»Z-2.»Z-3.»Sil\
        ª`»Smeª`»V«`»Txª`»Ssa-ea(`» com.amazoncognito.us-east-1.authZ`»¦Z-2.»Z-2.»¦Vgov-ea(`»¦Zwe(`\
        »¦Vwe(`»Z`»¦Z-2.»Z-2.»¦GplifyappFpp´ziHl>ziHs-1@d1Ipaceho(edM® com.appspotL.r*Ftlassi@-3p*Q\
        -us-gov-mod*Oisolated-3p*GmetaFui®*Gthgear-(ag>gMappsFwsapprunn)*KsHglobalaccele't|Ebal{a-d\
        evicesGrsyc{t)Jonl>eGse44-s@dbox com.blogdnsIspotJyteFoutirFplacedFrFuiltwithdarkGmbleshrim\
        pEcafjsGnva-appsKho(ed-embedJcodeFdn77-(o'geFe´reFf-ipfsFiscofreak com.claudeusercontentV.f\
        'meGev)-[.s)vices*Goudflare-ipfsFnFoGde.build)*Jdev-build)*J(g-build)*IspotFp'pidGs)v)Furs|\
        ®*G(om)-oci*Q.oci*Tp* com.customer-oci.ocs*Edamns)v)Gtadetect.demoP>(@ceHtolocalJrelayJwebF\
        dnsfreeIgeekJuruIk>gFeGployag{tGus-c@vasGv-myqnap[H>apps* com.digitaloceanspaces*Gsc|dsaysM\
        ezGtchyouripFnsabrIliasHdojoHisk>kyFoesntexi(Gj>Gntexi(GomdnsGpaasF'yddnsGeamho()sGive-plat\
        f|m com.dsmynasFurumisFyn-o-saurHaliasHdns-at-homeOw|kLblogLfreeLhomeLipL^ilLofficeLpicsLre\
        moteLs)v)Lweb com.dyndns-wikiM|kHnsHuddnsIho(>gEela(icbe@(alkU.af-«-1Wp-©1Yn|th©1Z|th©2Z|th\
        ©3Y«-1Zouth©1Zouth©2Zouth©3Zouth©5 com.elasticbeanstalk.ap-southeast-7Vcaª-1Veuª-1Yn|th-1Y«\
        -1Zouth-2Ywe(-1Ze(-2Ze(-3Vilª-1Vmeª-1Y«-1Vsa-©1Vus-©1Za(-2Ygov-©1 com.elasticbeanstalk.us-g\
        ov-west-1Ywe(-1Ze(-2Fm)g{tag{t.previewFnc|eapiF(-a-la-^isonPsionIle-patronImon-blogueurFuG1\
        -pl{itFv{node.eu-1Q2Q3Q4Nus-1 com.evennode.us-2Q3Q4EfamilydsG(ly-edgeLt)'riumIvps-s)v)Fbsbx\
        .appsFirebaseappIwall-gatewayFldrvF|geblocksF'm)c@vasGeebox-osLosImyip com.from-akKlKrJcaKt\
        JdcKeJflJgaJhiJiaKdKlKnJksKy com.from-maKdKiKnKoKsKtJncKdKeKhKjKmKvJohKk com.from-orJpaKrJr\
        iJscKdJtnKxJutJvaKtJwaKiKvKyEgeekgalaxy com.gentappsIl{tapisGtmyipFiizeGthub®FleezeFoogleap\
        isKcodeGtdnsHp@theonFrGayjayleaguesEhat{ablogKdiaryFealth-car)ef|mGrcules-app com.hercules-\
        devHokuappFkFobby-siteGmel>uxIsecurity^cQpcIunixG(ed-by-previd).paasKpiJur.'g-[V-chGtelwith\
        flightEia^lla^Fk-s)v).j[U-v)-jpc com.ip-ddnsFs-a-@ar´(Jblogg)Kookkeep)Kulls-f@Jcat))KhefKon\
        s)vativeKpaKubicle-slaveJdemoc'tLsign)Koct|Jf>@cialadvis|JgeekKre{ com.is-a-guruJhard-w|k)K\
        unt)Jl@dscap)Lwy)Kibe'lOtari@Kla^Jmusici@Jnascarf@KurseJpa>t)K)sonalt'>)Khotog'ph)Klay)Jrep\
        ublic@ com.is-a-rockstarJsociali(Ktud{tJteach)L´eKhe'pi(In-account@tMt|NressLnar´(Lrti(K{g>\
        e)Mt)ta>)Hc)tifiedHgoneH>to-@ime com.is-into-carsPtoonsMgamesHleetHnot-c)tifiedHslickHub)le\
        etHwith-theb@dGa-geekIhockeynutGs^rt)th@youFtEjdev[Fela(ic.demoFpnE~ss)v) com.kozowEla1-pl{\
        itGdeskFikes-pieJc@dyGnode.memb)sLnodebal@c)*Kobjects*K®.ipGve-=FocaltonetGgoipGseyouripGva\
        bleprojectFp®Fut'®* com.magicpatternsappGssivegrid.paasFesswithdnsGtaai®*Heo'ppN.euGxF>is)v\
        )Focha®GdelscapeFw[nonprodFyactivedirect|yHsu(|G[nasGdattoHbs)v) com.mydobissGipho(Gnas[Gqn\
        ap[Gsecuritycame'HhopblocksKifyHpreadshopGtabitHhic-bea(s.ca'calTu(om)Sf{tig)SlynxSocelotTn\
        cillaUza com.mythic-beasts.sphinxSvsSxSyaliHuleapGvncEneat-urlGt-freaksFfsho(Fospamproxy.[V\
        .o365Eoai®*Fbs)vable®.(aticFn-aptibleHf|geHvap| com.onrenderGthewifiFoguyFpe'uniteF'cle[app\
        s*Kgov[apps*GsitesFutsy(ems[Fwnprovid)Epagespeedmobiliz)Gywhirl*FgfogFivoho(>gGxol>oFlay(at\
        ion-[Geskns com.point2thisGlyspaceG(m@-echoFrgmr.x{Goject-(udy.devFython@ywh)eS.euEqa2Fbus)\
        FualifioappIyhqpartn)*M|tal*GicksytesHpelem{ts*E'ck^zeFeadthedocs-ho(ed com.remotewdGnd).ap\
        pGs)vdFh[Fice-labsFout>gthe[FuEsaGku't@KwebGlesf|ce.platf|m.code-build)-(g.te(.001*Gme-appJ\
        previewGves-the-whalesFcrysecFecuritytactics com.selfipHls-f|-lessOuGrvebbsKe)Jcount)(rikeJ\
        exch@geJftpJgameJhalflifeKttpKumourJircJmp3Jp2pKics com.servequakeJsarcasmFhopitsiteFiiites\
        Gmple-urlKsiteGnaappFmushcdnFpace-to-r{tFtackh)o-netw|kG'piappN.mediaHeak-l>kKl>ksK®Jmlitap\
        p com.stufftoreadFubsc-payEtave®Fb-ho(>g.siteFeaches-yogaGmp-dnsFhew|kpcG>gdu(dataFownnews-\
        (ag>gFry-snowplowH[flareFuleap-partn)sFypef|m.proEukFnusualp)sonFpsunapp com.usG1-pl{itEvip\
        s>aappGv{ushopFultrobjects*Ew-c|p-(aticblitzHred{tialless-(aticblitzG(aticblitzFafai[.jedPr\
        ydHflecellFebad|siteHspace-ho(Fiardweb.pagesGredbladeho(>gGthgoogle com.withyoutubeGxsiteIt\
        udioFoltlab-demoGrkisb|>gFpdev[G{g>epow)edT.jsGho(ed^ilGmucdnFrite(hisblogEx0FnbayJ.u2M-loc\
        alFtooldevice com.yolasiteEzaDmb@kEunityJ.myf|umKnogK'v{dbDp@yH.myboxFreEut)DsecCndosD(ruct\
        ionEult>gDtact contractorsCok>gDlE.deFelem{t|DpCrsicaCuntryDponGsDrsesBpaBrº½Ded cr.fiDgoD|\
        DsaCeditGcardGunionCicketCownCsCuiseGsBu§:b cu.infDnatEetD|gCis>ellaBv§DdevDeduDidEnt¾EomeD\
        |gDpublD(|e cw§Dedu%BxC.assessm{tsEthDcalculat|sEloudnsDfunnelsµD>foDpaynowDquizzesDresearc\
        hed cx.testsByºDbiz½mG.scalef|ce.jDeklogesµDltd²%DpressFoDtmCmru cyouBzC.coFnt{tproxy9.rscD\
        e4µDmetac{trum.[*Qu(omEuni.[.fltOusrDrealmAdadCnceCtaDeD>g datsunCyBclkBdsBeC.123webseiteFh\
        pD2ixD4li^DbarsyEplacedEw[-os->(@ce*½FmGmunity-proFsidns.dyn de.ddnssI.dynMdnsIecEiskussion\
        sb)eichEnshomeGupdat)Eyn-b)l>Hip24Gamisches-dnsGdns1JsecDfirewall-gatewayErusky*Euett)tdasn\
        etzDgit-repos de.goipDheimdnsEome-webs)v)R.dynH64Es-heilbronn.it.pagesY-researchD>-b)l>HrbH\
        utt)GdslGvpnFt)net-dnsEpv64Es)vschuleFte>geek de.istmeinDkey^ch>eDl-o-g-i-nEcube-s)v)Eebtim\
        netzFitungs{Ei^-cityEogoipDme>-is)vEyF-gatewayGrout)Fhome-s)v)F¨DrubFhr-uni-bochum de.ruhr-\
        uni-bochum.noc.ioDschuldockIplattf|mIs)v)EpdnsFeedpartn).cu(om)Equare7ErvdnsEvn-reposDtaifu\
        n-dnsEe(-is)vE'eumtge'deDvirtual-us)Kus)DwebspaceconfigDx{onconnect* de.xn--gnstigbestellen\
        -zvbNlief)n-wobCalE)EsCgreeCliv)yDlDoitteDtaCmoc'tCntalEi(CsiEgnG.bss design.graphicCvD.bar\
        syFearblogFotdashF'veJ.s*Ecodep{Frm.aa*Jb*Jc*Jd*Je*Jf*Ici*Id* dev.crm.pa*Jb*Jc*Jd*Je*Jf*Iw*\
        Ja*Jb*Jc*Jd*Je*Jf*Ed{oI-(ag>gE)p dev.erp.webFv)vault.relayEflyEgateway*FithubpreviewFrebedo\
        cEhrsnE>brows)*Fs-aI-full(ackJgoodHcoolHnot-aG)vElcl*H(age* dev.leapcellFocalc)t.us)*Jplay)\
        Gg>l>eFpG.apiHobjectsEmediatechFocha-s@dboxGdxFyaddrEngrokJ-freeEpagesGnelGyload dev.platte\
        r-appEr2FeplitK.arch)LbonesLc@aryLglobalLhack)LidLj@ewayLkimN'OkLodoLparisMicard dev.replit\
        .pikeMr)eleaseLreedMik)LsiskoMpockMtag>gMuluLtarpitMeamsMuck)LwesleyM|fFunconta>)sE(g*H(age\
        * dev.storage.t3Lapi.t3Ev)celFiv{ushopEwebhare*F|k)sExmitBhlBiamondsCetCgitalCrectG.libp2pG\
        |yCscountFv) dishCyD.discourseEi^g>eBjBkC.123hjemmesideDbiz½DfirmDmy¨DregD(|eBmC.coFm dm.ed\
        uµ%BnpBoC.art½m:bFv²%DsldDweb docsDt|CgC^>sCtCwnloadBriveBtvBubaiCpontCrb@BvagCrBzC.artEsso\
         dz.com:v%DpolDsocDtmAearthCtBcC.abgEdmEgronErqtFt ec.barFseDchefEomFntEpaEueDd{tEgnEiscoEo\
        cDeduEngEsmDf>Eot ec.galEobFvEyeDibrEnfoDk12DlatEojDmedEilEktgEon¾EtrDodont ec.officialErgD\
        proGfEsicGqEubDrioErppDsalDtechEulFrDuioDvetDxxx ecoBde~CuD.rit.git-pagesDcationJ.coBeC.aip\
        ½mDeduDfieµDlibDmedD|gDpri ee.riikBgº½mDeduEunµD>foDmeEil¼DsciEp|tDtv emailF.>touchGtawk.pK\
        to.pC)ckBn)gyCg>e)I>gCt)prisesBpsonBquipm{tBr*CicssonCniBsC.123miweb es.com:bDmy¨DnomD|gCqC\
        tateG.compute*BtC.biz½m:vD>foDname et.netD|gBuC.a^zonwebs)vices.on.eusc-de-ea(`cognito-idp.\
        »DbarsyD[nsDdeuxfleursEirectwpEnshomeEogado.jela(icDnxa*DprvwDspdnsDt'nsurl*CrovisionCs eus\
        .party.userBv{tsG.coHkoob>Bxch@geCp)tDosedDressCt'spaceAfageCilDrw>dsDthCmilyCnD.mkm fansCr\
        mE)sC]onDtBedexCedbackCr'riE)oBiC.123kotisivuDal@dD[platf|m.fiDdatac{t).demoOpaasEy fi.ikiD\
        ~psiDmy¨Dxn--hkk>{-5waCdelityDoClmCnalEnceGialJ.coCreE(oneDmdaleCshE>g fitDnessBjºDbiz½m:vD\
        idEnfo²¼DproBk* flickrDghtsDrC|i(Dw)sCyBm§Dedu%D'dioDus)*BoCoDd footballCrdDexDsaleDumCunda\
        tionCxBrC.123sitewebDa)op|tEssoEvocatGuesDcciEhambagriFirurgi{s-d{ti(es fr.chirurgiens-dent\
        istes-en-franceEomDdediboxDexp)ts-comptablesDfbx-osGosEreebox-osKosDgoupileGvEretaDhuissi)-\
        ju(iceDkdnsDmedec>Ey¨Dnom fr.notairesDon-webDphar^ci{E|tErdDtmDvet)>aireDynhCeeDs{iusClCog@\
        sDnti)BtrBuji°Cn fun.msEvicpEyicpEzicpDdCrnitureCtbolByiAgaClDl)yEoEupCmeEsF.pley games.she\
        ezyCpCrd{CyD.pagesBbCizBdC.eduµCnD.cnpyBe§EybDedu ge.govDllc¾Donl>eErgDpvtDschoolDtnxCaCntE\
        >gC|geBfBgC.botdash½ gg.kaas%Dp@elI.daemonEly.at*Hd6D(ackitCeeBhC.biz½m:v²¾ gh.orgBi§:vDltd\
        DmodD|gCftEsCvesD>gBlC.coFmDedu gl.netD|gCassCeCobalG.appwriteEoBmCailCbhCoCxBnº½mDedu gn.g\
        ov%BodaddyCldEpo>tDfCodyearDgE.[Ft'nslateF®*EleCpCtCv gpC.asso½mDeduDmobi%BqBrC.barsy½m:v%D\
        simplesite graingerDphicsDtisCe{CipeCoc)yDupF.discourseBsBt§:bD>d²¾ gt.orgBu§:vEuamD>fo%Dwe\
        bCcciCgeCideDtarsCruBw gw.nxByC.coFm:v%AhairCmburgCngoutCusBboBdfcEb@kBealth health.hraGcar\
        eClpDs>kiCreDmesBiphopCsami°Cta´CvBk§:vDidvEnc hk.ltd%Dxn--55qx5dHciqpnHgmq050iKw5aHio0a7iH\
        lcvr32dHmk0axiIxtq1mHod0algLq3bHtn0agHuc0atvLy4a hk.xn--wcvs22dHzf0avxCtBmBn§:b²%BockeyCld>\
        gsDidayCmedepotEgoods homesF{seCndaCrseCspitalDtE.boltF[accessFeasyp@elGm)g{tFfa(vpsGreesit\
        eFgadgetFhalfFis)vFjele host.mircloudGyfa(FtempurlFwp2HmudevE>gH.op{c'ftCtDelFsD^ilCuseCwBr\
        C.br{dly.shop½m hr.fromDizDnameBsbcBtC.adultErtEsso½mFopDeduDfirmDgouvD>foDmed¾ ht.orgDp)so\
        EolEroDrelEtDshopBuC.2000Dag'rDboltDcas>oEityEoD)oticaI~ hu.filmE|umDgamesDhotelD>foFgatl@D\
        jogaszDkonyveloDla~sDmediaDnewsD|gDprivDreklamDsexEhop hu.sportEuliEzexDtmEozsdeDutazasDvid\
        eoCghesByattCundaiAibmBcbcCeCuBdº id.aiDbiz½DdesaDeDgoDkop²Ey¾D|DponpesDschDwebDxn--9tfkyDz\
        one ieC.govDmy¨CeeBfmBk@oBlº½F.mytabitG'vpageGtabit|d)µDidfDk12Dmuni il.netD|gBmº½F.ltdGplc\
        Fm%DttEvCa^tCdbCmoEbili{ inC.5gD6gDacE)oEiElumniEmDb@kFrsyEiharFzEus>essDcaEloudnsEn in.coF\
        mFopEsDdelhiErDeduErDf>FrmDg{EovEuja'tD>dGevsFfo in.intG)netEoDmeEil¾EicD|gDpgEo(EroDresDsc\
        hoolEupabaseDt'velEv in.ubEkEpEsDwebCcCdu(riesCf>itiDoE.barrel-of-knowledgeLl-of-knowledgeI\
        syF[nsFdnsupdateGvrcamGynamic-dns info.dyndnsFf|-ourIumzFgroks-theNisFh)e-f|-m|eFilovecolle\
        geFknowsitallF^yfir(GittwaldNs)v)Fno-ipGsupdateFselfipFtypo3s)v)Fv->fo info.webhopCgCkC(itu\
        teDu'nceFeCtD.euD)nationalDuitCve(m{tsBoC.2038DapigeeEzureconta>)*Db-data io.barsyFsics)v)E\
        eagleboardFebyte.paasKapp.sekd1EitbucketEluebiteEoxfuseE'veI.s*Fows)safety^rkEubble.cdnJapp\
        sDcleve'ppsFoudbees®Eo io.comDdappnode.dyndnsFrkl@gEedynFf>i^Erive-platf|mDedit|xFuGgitDfh-\
        mu{()E|g)ock.idDgitbookGhubGlabEovDhasu'-app io.hostyhostingEyp)nodeDicp0H.'w*G1H.'w*DjeleD\
        ke{eticEiloappsDlair.appsEog>l>eFlipop²Eo-siem{sFonscale*Eusici@ io.myaddrFrdbx¾EgrokI.apKu\
        JeuJ>JjpJsaJusEodeart.(ageFmDon-k3s*Grio*Erg io.pantheonsiteE(mnI.mockDqcxG.sys*EotoEzzDrb-\
        ho(>g.siteEeadthedocsFs>deviceI(ag>g.devicesDs@dcatsEcrypted.cli{tEtolos*DtelebitEh>gdu(.de\
        v.cu( io.thingdust.dev.reservdOisrec.cu(Ures)vdNprod.cu(Nte(>g.cu(Vres)vdEicketsDutw{teDvap\
        |[Eirtuals)v)DwebflowKte(Gth>gsEix·Bpi'ngaBq iq.com:v²%BrºErv@edge½µDid%DschDvi(ablog ir.xn\
        --mgba3a4f16aP'CishBsC^iliCtD@bulBtC.123homepageE6-bD32-bD64-bDabrGuzzoEgFrig{to it.alFess@\
        driaFto-adigeHadigeEnFconaFdria-barletta-t'niKt'ni-barlettaJbarlettat'niJt'nibarlettaEoF(aI\
        -valleyIvalleyHeEp it.aqErFezzoEscoli-pic{oJpic{oFtiEtEvFell>oDbaFls@J-sud±Med±FriGletta-t'\
        ni-@driaLt'ni@dria it.basGilicataEellunoFnev{toFrgamoEgEiFellaElEnEoFlognaGz@oK-altoadigeFz\
        {I-sud± it.bozen-suedtirolErFesciaF>disiEsEtEuls@J-sud±Med±EzDcaFgliariFlGabriaGt@issettaFm\
         it.campaniaHid@o-medioMmedioHobassoFrbonia-iglesiasLiglesiasG''-^ssaK^ssaFs)taFt@iaIzaroEb\
        EeFs{a-f|liJf|liEh it.chietiEiElEnEoFmoFs{zaErFemonaFotoneEsEtEuneoEzDdell-oglia('Hoglia(' \
        it.dnshomeDeduEmilia-ro^gnaJro^gnaFrEnFnaDfcEeFrmoG''EgEiFr{zeEl|{ceEm it.foggiaFrli-ces{aI\
        ces{aErFiuli-v-giuliaLe-giuliaMgiuliaMnezia-giuliaRgiuliaLgiuliaJv-giuliaKe-giuliaLgiuliaLn\
        ezia-giuliaQgiuliaKgiulia it.frosinoneEvgDgeFnoaHvaEoFriziaFvErFossetoDibxosEglesias-carbon\
        iaLcarboniaEliadboxosEmFp)ia it.isF)niaDkrDla-speziaFquilaFspeziaFt>aFzGioEcEeFcceHoEiFgGur\
        ia it.livornoEoFdiFmGbardiaKyEtEuFc@iaGcaD^ce'taFntovaFrGcheFssa-car''Icar'' it.materaEbEcE\
        eFdio-campid@oIcampid@oFss>aEiFl@IoEnEoFd{aFlGiseFnza it.monza-brianzaJe-della-bri@zaIbri@z\
        aIebri@zaJdellabri@zaEsEtEy¨DnaFplesGoliEe{.jcEoFva'EuF|o it.ogFlia('Elbia-tempioItempioErF\
        i(@oEtDpaFdovaGuaFl)moFr^FviaEcEdEe it.perugiaFsaro-urb>oJurb>oGca'EgEiFac{zaFedmontGmonteF\
        saGtoiaEmnEnEoFrd{oneFt{za it.prFatoEtEuFgGliaEvEzD'FgusaFv{naEcEeFggio-calabriaKemiliaJcal\
        abria it.reggioemiliaEgEiFetiFm>iEmEnEoF^GeFvigoDsaFl)noFrGdegnaH>ia it.sassariFvonaEiFcGil\
        iaIyF{aF'cusaEoFndrioEpErEsEuFd-sardegnaGsardegna it.suedtirolEvEyn[DtaFaF'ntoEeFmpio-olbia\
        JolbiaF'moGniEnEoFr>oFsGc@a it.tpErF@i-@dria-barlettaJbarletta-@driaI@driabarlettaIbarletta\
        @driaGp@iF{t>-sud-±O±Ned-±P±KoL-a-adigeNadigeNlto-adigeQadige it.trentino-s-tirolN±Nud-±P±O\
        ed-±Q±La-adigeMadigeMlto-adigePadigeLs-±M±Mud-±Ned-±P±Ksud-± it.trentinsudtirolMed-±O±IoGvi\
        soFie(eEsEur>Fsc@yEvDudF>eEmbGriaErb>o-pesaroJpesaro it.vaFl-d-ao(aIao(aGd-ao(aGle-ao(aJd-a\
        o(aKao(aIao(aId-ao(aJao(aIe-ao(eKd-ao(eJao(eJdao(eFoFrese it.vbEcEdaEeFnGetoHziaGiceFrb@iaJ\
        o-cusio-ossolaGcelliGonaEiFbo-val{tiaHval{tiaFc{za it.viterboErEsEtEvDxn--bals@-sd±-nsbIoz{\
        -sd±-2obIuls@-sd±-nsbHces{a-f|l-mcbNf|l-i8aHf|l-ces{a-fcbLces{a-c8aHsd±-n2aHtr{t>-sd-±-rzbR\
        ±-7vbOo-sd-±-c3b it.xn--trentino-sdtirol-szbPsd-±-rzbR±-7vbOsd-±-6vbQ±-nsbHvalle-ao(e-ebbNd\
        -ao(e-ehbMao(e-e7aMdao(e-ebbCauCvAjaguarCvaBcbBeC.co je.netDofErgCepCtztCwelryBioBllBm*CpBn\
        jBoC.agriEi½mDedu jo.engDfmµ²%Dp)EhdDschDtvCbsDurgCtCyBpC.0am jp.0g0Ej0Et0D2-dDacEdEi´I.ais\
        aiK^KnjoKsukeJ´ryuMtaJfusoJga^g|iJh@da jp.aichi.hazuKek>@Kiga]u'Jich>omiyaKnazawaLuya^Ks]ki\
        Kwaku'Jk@ieLriyaLsugaiKi'LyosuKo^kiLn@Lta jp.aichi.mihamaLyo]Jni]oMsh>JobuKgu´KharuK~zakiKw\
        ariasahiJsetoKhi~°Mn]roMta'Jtaha'L~ha^Kobi]^ jp.aichi.toeiLgoL~iMonameLyoakeNha]N~waNneNtaK\
        su]^JyatomiEkitaI.akitaJdais{JfujisatoJgojome jp.akita.hachirogataLppouKigash>aruseKonjoNyo\
        Ji~waJ~miko@iNo~LtagamiLzunoKitaakitaKosa~KyowaJmisatoLt@eK|iyo] jp.akita.nikahoKo]roJodate\
        KgaMtaJsembokuJyokoteKurihonjoEngryEom|iJ.aom|iKgonoheKhach>oheM]~miLi'naiNosaki jp.aomori.\
        itayanagiKkuroi]KmisawaLu°Kna~do^riLohejiKoi'seLw@iKrokunoheKs@noheLhich>oheNngoKtakkoLowad\
        aLsugaruNruta jp.babyblueHmilkFckdropFmb>aEitt)ElushEonaFoFyGfri{dEutFyshopDc@dypopFpooFtfo\
        odEheap jp.chibaI.abikoKsahiJchon@MseiNhiLuoJfunaba]Lt°Jh@ami³Ji´ha'N~waNnomiyaKnzaiKsumiJ~\
        ^gaya jp.chiba.kamogawaL]waLt|iMsuu'Kimi°Lsa'zuKozakiKujukuriKyon@J^°doKid|iLha^LnamibosoKo\
        ba'Ku°zawaJnaga' jp.chiba.nagareyamaL'sh>oMitaKodaJoami]'satoKmi³KnjukuKtakiJsa~eMu'Khimofu\
        saM'koNoiMsuiKodegau'Lsa jp.chiba.takoLteya^Kog@eLhnoshoLmisatoJu'yasuJya´^taOyoKo~i´baMo]b\
        ahi~riL°~idoGcappaGlloutGpsFowd)Fu jp.ciaoEoFcotteFolblogE'nkyGpEutegirlDdaaFynightEecaGiEi\
        gickDedEekEgoismEhime jp.ehime.ainanJhonaiJi~taK^bariKyoJ~miji^KihokuKu^kog{J^sakiL°noOya^J\
        nami~taKiiha^JozuJsaijoKeiyo jp.ehime.shikokuchuoJtobeLonJu´koKwaji^Jyawataha^DfakefurF]on(\
        |eEemEli)FopHpyEoolEr{chkissEukuiI.e´z{ jp.fukui.eiheijiJfukuiJikedaJ~°ya^Jmiha^Lnamie´z{Jo\
        ba^KhiKnoJsabaeL~iJta~ha^KsurugaJwa~saHo~K.a]ya jp.fukuoka.buzenL´kugoQhoQjoQsh>oQz{NuoLdaz\
        aifuLfuku´Lha~taMiga]Nro~waNsaya^Liizu~Mna°kiL~ho jp.fukuoka.kasugaPyaNwa'Meis{MogaMu'teOog\
        iOumeLm>amiNyakoP^Pwa~Nzu^kiMuna~taLna~³P^ jp.fukuoka.nishiMogataLog|iM~gakiOwaNiMmutaMngaN\
        ojoMtoLsai³NsaguriMh>guPyo]tomiNonaiMoeda jp.fukuoka.sueLta´a'iN³N~taMohoNyo°MsuikiLukihaMm\
        iMsuiLya^daOeNna³Mukuha]H]^M.aizub@ge jp.fukushima.aizumisatoRwa~^°Osa~waNb@daiNdateNfuku]^\
        PrudonoPtabaNh@awaOiga]P'taQonoNiitateOnawa]roO]~waOwaki jp.fukushima.izumizakiN~gamii]Pney\
        a^Pwa^taOita~taR]oba'Oo|iPriya^OunimiNmiharuP]^NnamiePngoOi]aizuSgoNoku^ jp.fukushima.omote\
        goOnoOta^Nsame³OhimogoQ'~waPowaOo^Ou~³Ntaish>P^~waPnagu'O{eiNyabukiP^toSsuri jp.fukushima.y\
        anaizuOu³DgifuH.@pa´I{aIgifuKn@JodoJujoIha]^Ji´soKdaKga]]'~waIibi³JkedaI~~migaha' jp.gifu.k\
        aniKsaha'M^°KwaueJitagataIm>oM~moKtakeKzunamiJotosuIna~°³IogakiIsa~hogiJekiMgaha'Jhi'~wa jp\
        .gifu.tajimiK~ya^KruiJokiKmi~Iw@ou´Iya^gataKo°J|oFrlfri{dHyEloomyEoFnnaErFeat) jp.gunmaI.@n\
        a~J´yodaJfujio~Jhiga]aga°^JisesakiKtaku'Jk@naM'Ltash>aLwabaKiryuKusa°J^eba]KeiwaKid|i jp.gu\
        nma.minakamiJnag@oha'Lk@ojoLnmokuKu^taJoizumiK'KtaJ]bu~waMmonitaMntoLowaJta~sakiNya^L^mu'Lt\
        ebaya] jp.gunma.tomiokaKsukiyonoM^goiJu{oJyo]o~DhaccaFlfmoonFndc'ftedFtebloHnablogJdiaryEea\
        vyFrEihoFppyFro]^ jp.hiroshima.asaminamiNdaiwaNetaji^NfuchuPkuya^Nha°~i´Oiga]hiro]^OongoNj>\
        sekikog{N~itaOuiPm@oPreNmiha'Pyo]Nna~ jp.hiroshima.onomichiOsaki~miji^OtakeNsa~Oe'Rni]Oh>i´\
        Poba'Ntakeha'Eok~idoL.aba]riOi'Nibe°N~bi'Oke]Nsahi~wa jp.hokkaido.ashibetsuP|oOsabuN°^Mbiba\
        iOeiOfu~Oh|oO't|iM´ppube°PtoseMdateMebe°Nmbe°NniwaNrimo jp.hokkaido.esanP]Mfu~³Pu]^O'noPubi\
        'Mhab|oOkodateO^tonbe°Nida~Oga]~gu'VwaOrooNokuryuQtoOnbe° jp.hokkaido.horokanaiQnobeMikedaN\
        ^k@eN]~riNwamizawaPnaiM~mifu'noQ~waQ]h|oRuna³Po{aiOyabeNembu´NikonaiOmobe° jp.hokkaido.kita\
        hiroshimaQmiOyosatoNo]mizuNunneppuOriya^Po^°naiO]roOtch@NyowaM^]keO°^eNi~saOnamifu'noNombe°\
        Oseu] jp.hokkaido.mukawaOro'nMnaieO~³Qsa°naiQtombe°OnaePp|oOy|oNemuroNii~ppuOkiO]okoppeNob|\
        ibe°Nu^taMobihiro jp.hokkaido.obiraNketoOoppeNtaruOobePfukeP>eppuNumuNzo'MpippuM'nko]NebunN\
        ikube°O]riTfujiMsaro^ jp.hokkaido.sarufutsuNhakot@PriOibechaR°P~beRoiP^^kiQizuQo~waPnsh>o°Q\
        tokuP'nu~RoiQiu´Nobe° jp.hokkaido.sunagawaMtaikiO~suPi~waQnoueNe]~gaNobe°Oh^O^ko^iQriOyaQko\
        PotomiQu'Nsube°Pkigata jp.hokkaido.urakawaPusuOyuNtash>aiMwakk@aiOssamuMyakumoNoi´FlyEungry\
        EyogoI.aioiK~]LoK^gasakiKogaki jp.hyogo.asagoLhiyaKwajiJfukusakiJgo]kiJhari^KimejiJi´~waKna\
        ³KtamiJ~ko³Lmig|iN~waLsaiMugaLw@i] jp.hyogo.mikiLnamiawajiJnish>omiyaOwakiJonoJs@daMn@Lsaya\
        ^LyoKh>guNons{MsoKumotoJtai]L~N'zu~ jp.hyogo.takasagoM>oLmbaL°noKoyoo~JyabuL]roKo~NwaDiba'k\
        iK.amiMsahiLb@doL´kuseiLdaigoLfuji]ro jp.ibaraki.hitachiSna~SomiyaTtaLiba'kiMnaO]kiMtakoMwa\
        ^LjosoL~misuNsa^Ohi^Oumigau'MogaLmiho jp.ibaraki.mitoM|iyaLna~NmegataLoa'iM³Mmita^Lryugasak\
        iLsa~iOu'³MhimodateQ°^OrosatoMowaMuifuLta~hagi jp.ibaraki.tamatsukuriMo~iNmobeNneNrideMsu´u\
        'OkubaLu´ha'M]kuLya´yoN^gataNwa'MukiEcurusE]~waL.@amizu jp.ishikawa.hakuiQs@M~gaOhokuOnazaw\
        aOwakitaNo^°Mnak@otoOnaoNomiOnoi´OtoM]~NuzuM°bataPrugi jp.ishikawa.uchinadaMwaji^EtigoEwate\
        I.fudaiLjisawaJh@a^kiKi'izumiMonoJich>ohePsekiKwaizumiMteJjobojiJ~^i]Lnegasaki jp.iwate.kar\
        umaiLwaiKita~miKujiLnoheLzu^kiJmiyakoLzusawaK|io~Jn>oheKodaJofunatoKshuK°´Jrikuz{ta~taJ]wa \
        jp.iwate.shizukuishiKumitaJt@ohataKonoJyahabaL^daDjeezFllybe@D~³J.aya³Khiga]~³Kk@onjiLotohi\
        'Km@noMrugameLitoyo jp.kagawa.naoshimaKs@ukiKtado°M~^°LonoshoKuch>omiLtazuKz{°jiGo]^M.akune\
        O^miNhiokiNisaP{OzumiN~go]^ jp.kagoshima.kanoyaPw@abeO>koOouya^N^ku'zakiP°motoO>amit@eNna~t\
        @eOish>oomoteNsa°^s{daiOooNtarumizuNyusuiFna³L.ai~waN°gi jp.kanagawa.ayaseM´gasakiMeb>aMfuj\
        isawaMhad@oOkoneNi'°~Miseha'M~iseiO^ku'Niyo~waM^°daN>amia]ga'Ou'Mna~iN>omiya jp.kanagawa.od\
        awaraNiOsoMsagamiha'Omu~waM°kuiMya^kitaQtoNokosu~Nu³'Mza^Nu]FwaiishopHsaki*L.city!Eiki'' jp\
        .killGoFtakyushu*N.city!Eobe*H.city!F´I.akiJgeiseiJhida~Lga]°noJ>oJ~gamiLmiKita³Ko´ jp.koch\
        i.miharaKotoya^KurotoJnahariL~mu'LnkokuKi]tosaLyodo³Jo´K~waKtoyoLsukiJsa~waKukumoLsakiJtosa\
         jp.kochi.tosashimizuLyoKsunoJu^jiJyasudaKusuha'Eu^motoL.a^kusaN'oNsoMchoyoMgyokutoM~mia^ku\
        saNiku´Nu^motoM^]ki jp.kumamoto.mifuneOna^taRioguniMnagasuNi]ha'MoguniNzuMsumotoMta~m|iMuki\
        NtoMya^gaQtoO°]roFronEyoto jp.kyoto.ayabeJfuku´ya^Jhiga]ya^JideKneJjoyoJ~meo~MoKitaLzuKumiy\
        a^KyotambaOnabePgoJ^izuruK>ami jp.kyoto.minamiyamashiroLyazuKukoJnagao~kyoL~gyoLnt@Joya^zak\
        iJsakyoKei~Jt@abeJujiMtawa'Jwazu~Jya^sh>aLwataDlg jp.littlestarEolipopmcHtapunkFmoFvepopHsi\
        ckD^>FtrixEieG.asahiH>abeIseH~meya^JwagoeIihoJsosaki jp.mie.kiwaIomonoIum@oJw@aH^°sa~IeiwaI\
        iha^JnamiiseJsugiJya^HnabariH]^Iuzu~HtadoJikiJki jp.mie.tamakiIobaIsuHudonoIresh>oHwata'iHy\
        ok~i´FmozaFyagiJ.furu~waKhiga]^°]^Kish>o^kiLw@u^K~kudaMmiMwasaki jp.miyagi.marumoriM°]^L>am\
        is@rikuMsatoLu'taKnat|iKo³'Lhi'Lna³LsakiKrifuKsem>eLhibataN´~shukuN~^Noga^ jp.miyagi.shiroi\
        shiKtagajoMiwaLomeNiyaKwakuyaMtariKya^motoKzaoHzakiL.ayaMeb>oMgo~seMhyugaM~do³Owam>ami jp.m\
        iyazaki.kijoOta³Q~taQu'Nobaya]NunitomiO]^Mmi^taOyakonojoQzakiN|o°~Mnich>@O]me'Nobeo~MsaitoN\
        hiiba jp.miyazaki.shintomiMta~haruQnabeQzakiNsunoEodsFndGgoli@FoEydnsDnag@oJ.a´Lge^°Ln@Loki\
        Lsahi jp.nagano.azuminoK´kuhokuP^NnoKfujimiKhakubaM'Li'yaKiidaMji^Mya^MzunaLkedaMusa~LnaK~r\
        uizawa jp.nagano.kawakamiLisoOfuku]^MtaaikiLo^g@eN|oK^°~waPmotoLiasaMnamiaikiQ^kiR>owaNowaM\
        yadaNotaLo´zuki jp.nagano.naganoOwaNisoM~³OnoLozawaons{KobuseL³L~yaL^´MiLokuwaM]~LtakiNriKs\
        a~e jp.nagano.sakakiNuOhoLhimosuwaNn@o^´NojiriLuwaMza~Kta~giOm|iOya^Mtesh>aNsunoLogaku]Nu'M\
        mi jp.nagano.uedaKwadaKya^gataOnou´Msa~Nuo~HsakiL.´jiwaMfu°MgotoMhasamiNi'doMikiNsahayaM~wa\
        t@aNuch>o° jp.nagasaki.matsuuraMnagasakiMoba^Nmu'NsetoMsai~iOseboNeihiNhi^ba'Pn~migotoMtogi\
        °Nsu]^Munz{Goya*J.city!F^(e jp.naraH.@doIgoseIheguriJiga]yosh>oIi~rugaKo^I~mikitaya^Kn^kiK]\
        baNha'K°'giKwaiM~miMni]J|yo jp.nara.kurotakiImi°eKyakeIna'Jose³IojiJudaJyodoIsaku'iKngoJhim\
        oi´Nkitaya^LnjoJoniIta~t|iKwa'moto jp.nara.tenkawaLriIudaIya^tok|iya^Ota~daMzoeJosh>oEeF.as\
        e>et.us)GgehirnGiv|yG^il-boxH>tsHokur{GopalGsaku' jp.ne.sumomoGtopazFtgam)sEiigataK.agaOnoL\
        gos{Litoi³MzumozakiLjoe°L~moNriwaN]wazakiLm>amiuonu^N°keMui~ jp.niigata.murakamiMyokoLnagao\
        ~MiigataLojiyaMmiLsadoNnjoMeiroQuNki~waMhibataLtagamiN>aiMo´oN~^´ jp.niigata.tsubameOn@Luon\
        u^LyahikoMoitaMuzawaFkitaEobu]F|Ey@taDo0o0EitaH.beppuJungoonoNta~daIhasa^ jp.oita.hijiKme]^\
        KtaI~mi°eJokonoeJujuKnisakiKsuIoitaIsaikiItaketaJsukumiIusaKukiIyufuE~ya^ jp.okayama.akaiwa\
        Msaku´Lbiz{Lhaya]^Liba'L~gam>oNsao~MibichuoMum{@N']kiLm@iwaMisakiLnagiMiimiN]awaku'Lo~ya^ j\
        p.okayama.satoshoMetou´Mh>joNooMojaLta~ha]Nm@oMsuya^LwakeLya~geF>awaK.aguniLg>ow@PzaMu]~miL\
        haebaru jp.okinawa.higashiN''LiheyaM]gakiP~waMtom@Mz{aL~d{aM>NtadaitoPna~gusukuMumeji^Nniga\
        miLm>amidaitoMotobuLnago jp.okinawa.nahaN~gusukuOij>NnjoMi]ha'LogimiMk>awaMnnaL]mojiLtaketo\
        miN'^Mo~]kiNmigusukuNnakiLu'soeNu^ jp.okinawa.yaeseMomit@NnabaruPguniLza^miEopsErEsa~I.ab{o\
        J´hayaa~sa~LuoJdaitoJfujiide'Jhabik>oLnn@Kiga]osa~ jp.osaka.higashisumiyoshiQyodo³L'~taJiba\
        'kiKkedaKzumiOo°Os@oJ~do^Lizu~Ln@L]wa'Lt@oLwach>ag@oKi]wadaLta jp.osaka.kumatoriJ^°ba'K>ato\
        MohLsakiK|igu´Jneya³Ki]KoseJosa~saya^Jsa~iLya^K{n@Lt°KhijonawateM^moto jp.osaka.suitaJtadao\
        ~Li]LjiriL~i]N°kiKondabaya]Lyona~OoJyaoDpa'llelHsiteEec|iFeweeFnneFpp) jp.permaEgwEigboatFn\
        okoEunyuFpuFssycatEyaD'>dropEdyEeady^deEgrEulezDsadi(FgaH.ariake jp.saga.aritaIfukudomiIg{~\
        iIha^ta^Jiz{Ii^riI~mim>eKnzakiK'°K]^JitagataMhataKya^JouhokuJyu'giIni]arita jp.saga.ogiJ^´J\
        u´IsagaJhiroi]ItakuK'JosuIyosh>ogariFita^K.a'~waMsa~L´´buLfujimiRnoN~ya jp.saitama.hannoOyu\
        NsudaNtogayaPya^Mida~Nga]´´buS^°ya^MonjoL>aMru^Mwa°kiL~miizumiP~waPsatoNsu~be jp.saitama.ka\
        wagoeQu´Pji^NzoMitamotoMo]gayaNunosuMukiN^gayaL^°bu]M>@oNsatoNya]roOo]M|oya^Lnagat|o jp.sai\
        tama.namegawaMiizaLog@oOwaNoseMke³MmiyaMtakiL'nz@Myo~miLsaita^N~doNtteNya^MhikiO'o~ jp.sait\
        ama.sokaMugitoLtodaNki³O|ozawaMsuruga]^Lu'waLwa'biLya]oMokozeNnoNriiN]daQ~waQmiFku'(o'ge.is\
        k01.s3 jp.sakurastorage.isk02.s3FloonFpp|o*K.city!EbloEchoolbusEecretFndai*J.city!EhigaI.ai\
        shoJgamoJhiga]omiLkoneJko~Ln@ jp.shiga.koseiLtoKusa°J^iba'K|iya^Jnagaha^Ki]azaiKoto³Jomiha´\
        m@K°JrittoKyuohJta~]^N°kiKo'himeLyosato jp.shiga.yasuGm@eK.a~giM^Lgo°Lha^daMiga]izumoN~waOi\
        miLizumoL~k>okiL^sudaN°eMisatoLnish>o]^Lohda jp.shimane.okinoshimaNuizumoL]m@eLta^yuMsuw@oL\
        unn@LyakumoNsugiN°~Gzuo~L.a'iNtamiMfujiQedaQ~waQnomiya jp.shizuoka.fukuroiMgotembaMhaiba'O^\
        ^°Niga]izuMitoNwataNzuPnokuniM~ke³OnnamiOw@ehonQzuNiku³NosaiM^k>oha' jp.shizuoka.matsuzakiN\
        >amiizuO]^N|i^´Mni]izuNu^zuMo^ezakiM]^daQizuQodaPzuo~NusonoMyaizuNo]daEkrEtaba jp.stripperE\
        ubFnnydayFp)saleDt@kEheshopFickEo´giK.a]~gaLbatoLhagaLi´~iMwafuneL~m>o~waNnu^N'suya^ jp.toc\
        higi.kuroisoL^]koMibuMo~NtegiLnasuP]oba'MikkoN]~taMogiLohi'Ntawa'Mya^Lsaku'NnoMhimo°ke jp.t\
        ochigi.shioyaLtak@ezawaMo´giMsugaLujiieM°nomiyaLyaitaFku]^M.aizumiOn@Ni´baOt@oN~>@Oo^°]^N^°\
        ]geOi^ jp.tokushima.minamiPyo]OugiNna~³PrutoNs@ago´Ohi]kuiNtoku]^NwajikiGyoI.ada´KkirunoM]^\
        Koga]^K'~waJbunkyo jp.tokyo.chiyodaLofuLuoJedo³JfuchuLssaJha´joOojiLmu'Kiga]kurumeQmu'ya^Qy\
        a^toLnoNdeNha'J>agi jp.tokyo.itabashiJ~°]~KitaLyoseKodai'Lg@eiLkubunjiL^eLtoLuzu]^Kunita´J^\
        ´daKeguroK>atoLta~Lzuho jp.tokyo.musashimurayamaQnoJnak@oK)i^Jogasawa'Kkuta^KmeK]^KtaJsetag\
        ayaKhibuyaMna³NjukuKug>amiLmidaJta´~wa jp.tokyo.taitoL^Ko]^Fnko°Ftt|iK.´zuLh>oL~waha'MogeNt\
        ou'LmisasaLn@buMich>@Lsa~im>atoLtott|iLwa~sa jp.tottori.yazuMonagoFya^J.asahiKfuchuMkumi°Mn\
        aha]KhimiKimizuLnamiKjoh@aK~mii´LurobeKnak@ii~waMm)i~waMnto jp.toyama.nyuzenKoyabeKtai'M~o~\
        Mteya^LogaMnamiMya^KunazukiLozuKya^daDuh-ohEnd)GoEpp)Es)cont{t jp.velvetFrseHusEivi@Dwa~ya^\
        L.aridaR³MgoboMha]motoNida~Oro³M>amiNwadeM~>@OmitondaO°'gi jp.wakayama.kiminoOno~waOtaya^No\
        yaOzaQ³Nudoya^O]motoMmiha^OsatoMna´~°u'Msh>guP'ha^MtaijiOnabeMwa~ya^ jp.wakayama.yuasaO'Fts\
        onEebaccel.rsMus)GlikeGsozaiEhitesnowEjgDxiiEn--0trq7p7nnH1ctwoIlqs03nL71dH2m4a15eH32vp30h \
        jp.xn--4it168dK797kIpvxsH5js045dIrtp49cKq34kH6btw5aI|x2rH7t0a264cH8ltr62kIpvr4uHc3s14mHd5qv\
        7z876cIjrs72d6uyJty4kHefvn9s jp.xn--ehqz56nIlqq16hHf6qx53aHk7yn95eIbrq7oIlt787dKp7dKx9aKy5x\
        Hmkru45iHnit225kItso0iqx3aKq17gHpssu33lHqqqt11mHrht27z jp.xn--rht3dK61eIny31hHt|131oHui(22h\
        Kz3gIuwu58aHvgu402cHzbx025dDya^gataL.asahiMfunagataMhigash>eMiideM~hokuOm>oya^ jp.yamagata.\
        kaneyamaOw@i]M^muro³Ni~waNu'ya^MnagaiO~ya^OnyoNi]~waMob@azawaNeNguniNhku'Ni]daMsagaeO~ta jp\
        .yamagata.sakegawaNh>joP'ta~OonaiMta~hataN{doNozawaNsuruo~Mya^gataQnobeNonezawaNuzaIu´M.abu\
        NhagiOi~ri jp.yamaguchi.hofuNiwakuniNkuda^°NmitouNnagatoNo]^N]monosekiPun@NtabuseOokuya^Pyo\
        taNubeNyuuHna]M.chuoNdo] jp.yamanashi.fuefukiPji~waVgu´koRyo]daNhaya~waOokutoNi´~wamisatoN~\
        iOofuPshuQugeNm>ami-alpsQobuNna~mi´PnbuPrusawa jp.yamanashi.nirasakiP]~°'Nosh>oO°kiNshowaNt\
        abaya^OsuruNu{oha'Nyam@a~koT]Eokoha^*L.city!DzombieCm|g@CrsBuegos juniperA~uf{BddiBeº½DgoD>\
        foDmeEobiDneD|DscCrryhotelsFprop)tiesBfh kgC.ae½m:v²%DusDxxBh§:v% kiC.biz½m:vD>fo%CaCdsCmCn\
        dleCtch{CwiBmC.ass km.asso½mFop:uvFvDmedec>EilDnomFtairesD|gDphar^ci{sErdFesseDtmDvet)>aire\
         knC.eduµ%BoelnC^°Csh)Bp§:vD|gDrepDt'Cmg kpnBrºEiDbus@Dc01EhungbukInamEoDdaeguGjeonDeliv-ap\
        iIcdnIdnsEsDg@gwon kr.goEw@gjuEyeongbukJgiJnamDhsD>cheonEoEtDjejuFonbukHnamDkgDmeEilEmv kr.\
        msDneD|DpeDreDscEeoulDuls@DvkiCdD.coEeduCedBuokgroupBw§ kw.eduEmbµD>d%By§Dedu%CotoBz§:v kz.\
        jcloud²%AlaC.bnr½m:vD>foFt%Dp)CcaixaCmb|gh>i lamerCndErov)DxessCsalleCtD>oDrobeCwDy)Bb§:v% \
        lcC.coFm:v%EyBdsBeaseCcl)cCf'kCgalDoCxusBgbt liCdlCfeE>su'nceE(yleCght>gCkeCllyCmitedDoCnco\
        lnDkE.c@vaGyonFdweb*F>brows)* link.joinmcFke{eticFmyfritzHpepFnft(o'ge.ipfsF(o'cha.ipfsFw3s\
        .ipfsCveE.aemFewp*FhlxD>gBkºEssn½m lk.eduµErpDhotelD>tDltd¾EgoD|gDschEocDwebBlcCpBo@Es lock\
        erDusClD.omgCndonCtteEoCveBplDf>@cialBr§:v% lsºDbiz½:vD>fo%DscBtC.govCdDaBuC.123= lundbeckC\
        xeDuryBvC.asn½mFnf:vDid²%By§Dedu ly.govDidDmed%DplcDschA^º½µ%DpressCdridCif maisonCkeupCnDa\
        gem{tDgoCpCrketG>gGsDriottDshallsCttelBbaBcC.assoDtm mckinseyBdC.irBeºDbarsyE'siliaDc66EoE'\
        ftDddnsEisk(ationEnsf|Es[Dedge(ackFu me.filegearL-sgµErokDhooc.seproxFptoDi234EtsDlog>toFhm\
        usDmcdirEyboxFds¾Eoho(Fip me.orgDprivDsoundca(EynologyDtcp4E'nsip.siteDvp4DwebhopCdDiaF.f'm\
        )CetClbourneCmeD|ialCn menuE.barsyKonl>eCrckFmsdBgC.coFm:v²DnomD|gDprdBhBiami microsoftClCn\
        iDtCtDsubi]Bk§:vD>f¼Blº ml.artEsso½m:uvFvD>foF(%DprFesseCbCsBm*Ca mnC.eduµDnycD|gBo§:v%CbiE\
        .barsyFds[EleCda moeCiCmCnashDeyD()CrmonDtgageCscowCtoErcyclesCvDieBpC.juBq mrC.govBs§:vDm>\
        isite%CdBt§Dedu%Cn mtrBuº½Fmµ¾D|FgCseumDicBvC.a)oDbiz½mFop mv.eduµD>foFt²Euseum¼DproBwºDbiz\
        ½FmFop mw.eduµD>t%Bx§:b%ByC.biz½m:v my.mil¼BzºEdv½:v²%AnaC.alt½ na.comµ%CbCgoyaCmeE.h).f|go\
        tGis.f|gotFispm@ag)Fke{eticCvyBbaBcC.assoDnom neCcCtD.adobeaem[Jio-(aticLruntimeF~dnsH^iK-(\
        ag>gKedgeO-(ag>gKhdM-(ag>gK|ig>Q-(ag>gKzed net.akamaized-stagingFlwaysdataFpps-1@d1HudoFt-b\
        @d-campGlassi@-dev.prod.cdnFzure-apiKmobileJedgeJfdJ(aticappsT.1U2U3U4U5 net.azurestaticapp\
        s.6U7Uc{t'lusUea(asiaYus2Uwe(europeYus2J=sEbarsyFlackbaudcdnGogdnsFoomlaGtdashGuncemeFplace\
        dFroke-it net.buyshousesEcasacamFdn-edgesH77-sslJ.rFh@nelsdvrP.uFlickris>gGoudaccessKppJfla\
        reO.cdnO@yca(.cdnOcn.cdnOglobal.cdnKront net.cloudfunctionsJjiffyO.f'1-dePwe(1-usJyclu()Fom\
        munity-proFtf[EdattolocalFdnsI-ipFe5Gbi@Gf>i^GnoI.s@dboxFns-[ net.dns-dynamicHaliasHdojoHup\
        Foes-itGntexi(FsmynasFynaliasIthomeHuIddnsHv6Eeat>g-|g@icFdgekeyL-(ag>gIsuite net.edgesuite\
        -stagingFla(x.jls-(o1S2S3Fndof>t)netEfamilydsG(ly.freetlsL^pLprod.aQglobalLssl.aPbPglobalKl\
        bM.^pFe(e-ip net.firewall-gatewayFrom-azJcoJlaJnyEgbFets-itFgffF'f@a-devEham-'dio-opFetemlF\
        icamFomeftpIipIl>uxIunix net.hrsn.vpsFuEicp*FnG-dslHthe-b@dHvpnFobbFpifonyGv64Fs-a-chefJgee\
        kGa-geekEjpEkeyw|d-onFicks-ass net.kinghostFnx-s)v)Frelli@Elive-onFocalc)tJto*Fuy@iE^feloGs\
        sivegrid.paas.fr-1Vlon-1Z2Vny-1Y2Vsg-1Fe>f|umGmset net.moonscaleFya^zeGdattoHiss{tGeffectGf\
        ritzGmediapcGnetname.snGpsxG'dwebGsecuritycame'HpreadshopHynologyEnhlf@Fo-ipGw-dns net.offi\
        ce-on-theFn>f)noFpikFvh.ho(>g*Iwebpaas*FwnipEpgaf@FodzoneFrivatizehealth>su'nceE'ck^zeFedir\
        ectmeGs)ve-onl>eFout>gthe[FuEsave>[.jela(icQn|de(e-idc net.scaleforce.jGhokokeksG'pp)-siteF\
        eGidatGlfipHls-itGnse)>gGrvebbsKlogJftpJm>ec'ftJr-onFhopselectFiteleafFpryt net.square7KsFr\
        cf.socJus)Ftatic-accessFubsc-payGpabaseFytesEthruh)eF|projectO.pagesF'fficm@ag)FsG.c*Funnel\
        moleFw^il net.ukFni5Fsgov[api.c|e.blobXfileXwebSs)vicebusQpJt'fficm@ag)EvpndnsGs-ho(M.jela(\
        ic.atlWnjsWricF®EwebhopF>dows.c|e.blob net.windows.core.fileRwebMs)vicebusEy@dex[P.(o'geQ=E\
        zaGbcDb@kDflixDw|kH.aemJlces*JppwriteJrvoJzimuth network.coItlonCu(arCwDsE.noticeableCxtEdi\
        rectDusBfC.arts½mDfirmD>fo¾Doth) nf.perDrecD(|eDwebClBgC.bizG.coHdlHgoHlgHon½lFmDeduDfirm n\
        g.genEovDiDltd²EobiDnameEetEgoD|gDplcDschCoBhkBiº ni.biz½Fm:bD>FfoFt²¾EomD|gDwebCcoCkeDon n\
        injaCss@FyBlC.123=Dci(ronEoDdemonµDho(>g-clu()DkhplayDmy¨Dt'nsurl*BoC.123hjemmesideDaa no.a\
        a.gsFrb|teEejrieEfj|dEgd{esEhF.gsEk)shus.nesFnoluoktaFrehamnElFaheadjuFesundFgardF(ahaugFta\
         no.alvdalEmliFotEndasuoloGebuGoyErdalFe^rkGndalFnaEse'lFk)GimGoyGvollFnes no.audnedalFk'Fr\
        eGl@dGskog-hol@dF(evollHrheimEv)oyDbadaddjaFhcavuotnaHcavuotnaFidarFjddarFlatGe('ndGl@g{ no\
        .balsfjordFmbleFrduGumFtsfj|dEea'lvahkiHduFiarnFrgH{GlevagEievatFndalFrk{esEj)kreimFugn no.\
        bodoFknFmloErem@g)FonnoyKsundFumunddalFyneEuF.gsFdejjuFsk)ud.nesEygl@dFkleDcahcesuoloEo no.\
        davvenjargaIsiidaEeatnuFpEieldd@u|riFvtasvuodnaHtasvuotnaEonnaFvreE'mm{GngedalFobakEyroyDeg\
        )sundEidGfj|d no.eidsbergHkogHvollFg)sundElv)umEnebakkFg)dalEtneHdalEv{assiHesFje-og-h|nnes\
        DfarsundFuskeEedjeFt no.fetsundEhsE>noyFtjarEjal)FellElaGk(adGt@g)Fekkefj|dGsb)gFo'HoEmF.gs\
        Eolkebibl no.folldalFrdeGs@dFsnesE'naFedrik(adFognGl@dG(aGyaEuoiskuGsskoFsaEylkesbiblFresda\
        lDgaivuotna no.galsaFmvikFngavii~FularGsdalEiehtavuoatnaGldaFldes~lFskeEjemnesGrdrumH(adGsd\
        alFovikElopp{Eol no.granHeHv>Gt@g{Fim(adFongFueEul{FovdageaidnuDhaFbm)FdselFgebo(adFld{GsaF\
        ^r no.hamaroyG^rfea(aH)fe(FpmirF'mGeidG(adFsvikFttfjelldalFugesundEed^rk.osLval)Lxn--vl)-qo\
        aFmneIsGsedal no.heradEit'EjartdalFelmel@dElF.gsEmF.gsEobolFfFkksundFlGeGme('ndGtal{Fnefoss\
         no.hordaland.osGn>dalGt{Fy@g)Gl@detEurdalGumEval)Eylle(adDibe(adEdrettEnd)oyEvel@dFguDj@-^\
        y{M.gs no.jessheimFvnak)Eol()FndalFrpel@dD~fj|dF'sjoh~KkGlsoyGmoyFutoke>oEirk{esElabuFeppEo\
        mmuneFngsb)g no.kongsvingerFp)vikE'@ghkeGg)oFi(i@s@dMundFodshe'dGk(adelvaEvafj|dGlsundGmGn@\
        g{F>esdalHnhe'dGteseidHsoy no.laakesvuemieFhppiFngevagFrdalGvikFvagisHng{Ee@gavii~FbesbyFik\
        @g)Grfj|dHvikF~GsvikFnvikFrdal no.lesjaFv@g)Ei)HneFllehamm)Is@dFndasHesnesEoabatFd>g{FmFppa\
        Fr{skogFt{EundGn) no.luroyF()EyngdalH{D^latvuopmiGselvGvikFndalFrk)GnardalFsfj|d{GoyFtta-va\
        rjjatEel@dGdalGhus no.meloyF'k)EidsundGtre-gauldalFlEjondal{Eo-i-'naFarekeFdal{GumFldeFre-o\
        g-romsdal.h)oyTs@deFsjo{Gk{esGs no.mrF.gsEuosatFseumEy¨DnaamesjevuemieFmdalseidGsosHskog@Fn\
        ne(adFroyGvii~IkFu(dalFvuotnaEedre-eik) no.nesnaGodd{Jt@g{GsebyItEissedalFttedalElF.gsE|d-a\
        urdalIfronIodalHdalH~ppHl@d.boMh)oy no.nordland.xn--b-5gaQh)y-i'Hre-l@dJisaGe-og-uvdalFtodd\
        {Gt)oyEtF.gsDoddaEfF.gsEksnesElF.gsE^svuotna no.oppdalGegardErk@g)GdalFl@dFskogGtaEs{FloH.g\
        sFoyroFt)oyGfold.val)Gre-tot{Ev)hallaFre-eik) no.oyerFgard{F(re-slidreDp|s@g)KuHgrunnErivD'\
        deGoyFhkke'vjuGoltFisaFkke(adFl>g{FnaGdab)g no.raumaEeFndal{GnebuIsoyE>dalGgebuIrikeHsak)Fs\
        |GsaElF.gsEo@FdoyFllag no.romsaHkogFrosF(Fyk{GrvikEuovatEyggeDsal@g{HtGtdalFmn@g)Fndefj|dHn\
        esKsjo{Hoy no.sarpsborgFudaGhe'dEelGbuGjeH|dEfF.gsEiellakFgdalFlj@FrdalEk@itHl@dGun no.sked\
        smoKk|setFiG{HrvaGptvetFjakG)voyFodjeElattumEmolaEnaaseGsaFillfj|dFoasaEogndal no.sogneFknd\
        alFlaGundFmnaFndre-l@dGgdal{Fr-aurdalHfronHodalHva'ng)GfoldGreisaGtl@dGumEpjel~vik no.spyde\
        bergEtF.gsF@geGtHhelleGv@g)H)nFeig{Hnkj)Fj|dalLshals{FokkeGr-elvdalHdIal no.storfjordF'ndJa\
        GynEulaGdalFndGndalFohk@FrnadalEvalbardL.gsFeioGlvikEykkylv{Dt@a no.tanangerEele^rk.boMxn--\
        b-5gaEimeFngvollGnEjeldsundFielteFomeEmF.gsEokkeFlgaFnsb)gFrsk{Er no.tr.gsF@aHbyHoyFo@d>Gg(\
        adGmsaIoGndheimFysilEvede('ndEydalFnsetFsfj|dGnesGvar no.uenorgeEll{sak)Jv@gF(e>FvikEnjarga\
        Etsi'DvaF.gsFap(eFdsoFgaHnGsoyFksdalFlle no.vangGylv{FrdoGggatGoyEefsnFgaHrsheiFnneslaFrdal\
        G'nF(byHfold.s@deHnesHre-slidreKtot{ no.vestvagoyFvel(adEfF.gsEgsEikGnaFndafj|dEoagatFldaFs\
        sHev@g{Dxn--@dy-i'Isky-i'Iurskog-hl@d-jnbIv)y-yua no.xn--bdddj-mrabdIea'lvhki-y4aJrlevg-jxa\
        Ihcavuotna-s4aKcavuotna-k7aIidr-5nacJevt-0qaIjddar-ptaIlt-elabImlo-g'Iod-2naIrnny-wuacMsund\
        -m8acJum-voaItsfj|d-9zaHdavv{jrga-y4a no.xn--dnna-graIrbak-wuaIyry-i'Hev{i-0qa01gaHf>ny-yua\
        Ij|d-l'Il-ziaJ|-j'Irde-g'Jna-woaJya-h'Hggavii~-8ya47hIildeskl-g0aJvuotna-8yaIjvik-wuaIls-el\
        ac no.xn--h-2faIa^ry-fyaIbm)-xqaIcesuolo-7ya35bIgebo(ad-g3aImmrfea(a-s4acInefoss-q1aIobl-i'\
        Jltl{-hxaIpmir-xqaIy@g)-q1aJl@det-54aH>d)y-fyaHjl()-byaIrpel@d-54aH~rlsy-fya no.xn--karmy-y\
        uaIfj|d-iuaIlbu-woaIoluokta-7ya57hI'g)-gyaKnghke-b0aJdshe'd-m8aJehamn-dxaJjoh~-hwab49jIsnes\
        -uuaIvfj|d-nxaJitsy-fyaJn@g{-k0aHl-1faIaheadju-7yaJngevg-jxa no.xn--ldingen-q1aIeagavii~-52\
        bJsund-huaIgrd-poacIhppi-xqaI>ds-p'Ioabt-0qaIrdal-s'J{skog-54aIt-liacJ{-g'Iury-i'Hmely-i'Jr\
        k)-kuaIjndal{-64aIlatvuopmi-s4a no.xn--mli-tlaJselv-iuaI|eke-juaJsj{-eyaJt-tlaIre-og-romsda\
        l-qqb.s@deZ.xn--h)y-i'Isy-ula0hItta-vrjjat-k7afIuo(-0qaHnmesjevuemie-tcbaIry-yla5gItt)y-bya\
        eIvuotna-hwaHoppegrd-ixaI()y-fya no.xn--osyro-wuaHp|sgu-(a26fH'dy-i'Idal-poaJe-ulaJy-0nabI{\
        nesy-v1aIhkk)vju-01afJolt-m'Iisa-5naKr-i'Il@d-uuaJ>g{-mxaImskog-byaIros-g'Iskog-uua no.xn--\
        rst-0naKa-f'Iyk{-vuaJrvik-byaHs-1faI@dnessj{-ogbLy-yuaIe'l-l'Igne-g'Iki)v-utaJj)vy-v1aKk-so\
        aJnit-yqaKl@d-fxaIlat-5naJt-elab no.xn--smla-hraJna-g'Inase-n'Jdre-l@d-0cbJes-poaJsa-roaIr-\
        aurdal-l8aKfron-q1aKodal-q1aKva'ng)-ggbJfold-byaJreisa-q1aJum-g'Itfold-9xa.xn--vl)-qoaJjrda\
        l-s1aOshals{-sqb no.xn--stre-toten-zcbHtjme-h'Insb)g-q1aI'ny-yuaJg(ad-r1aJna-woaJoms-zuaIys\
        vr-v'Hunjrga-rtaHvads-j'Jrd-j'Iegrshei-c0aJ(vgy-ixa6oIg-yiabJ@-qoaJsy-qoa0j no.xn--vre-eike\
        r-k8aJggt-xqadJy-yla5gHy)-znaIgard{-p1aI(re-slidre-ujbCkiaCrtonCwD.dynEh)eDruzDtvBp*BrC.biz\
         nr.com:vD>fo%CaCwBttBuC.{t)prise[Dm)se>eE>eDshacknetBycBz nz.acD[nsEoEriDgeekFnEovtDhealth\
        DiwiDkiwiD^|iEil%Dparliam{tDschool nz.xn--mori-qsaAobiCs)v)BfficeBk>awaBlay@GgroupCloBmC.co\
        Fm:vDmedEuseum¾ om.orgDproCegaBneD.k>*Es)viceE=CgCionClD>eG.barsyIookHe)oL-(ageHheimdns onl\
        ine.leapcellH=build)BooBp{B'cleDngeG.techCgD.accesscamFeFlt)vi(aEbarsyFlogdnsIsiteFmoattach\
        m{tsFoldlygo>gnowh)e org.cable-modemGmdvrFdn77-secure.|ig>.sslJ.cKrscFloudnsFollegef@Guchpo\
        tatofriesEddnssFnsaliasHdojoFoesntexi(Gntexi(GomdnsFpdnsFsmynas org.duckdnsFvrdnsFynaliasHd\
        nsK.goLhomeHs)vE{dof>t)netJthe>t)netFuG.alIssoItIuHbeIg org.eu.caIdIhInIyIzHdeIkHeduIeIsHfi\
        IrHgrHhrIu org.eu.ieIlInJtIsItHjpHkrHltIuIvHmeIkItIyHnet org.eu.ngIlIoIzHplItHroIuHseIiIkHt\
        rHukIsEfamilydsFedo'>f'[ org.fedorapeopleLroject.[Sos.appS(g.os.appFreeddnsJesktopGom-meFsp\
        agesEgame-ho(FotdnsEhat{adiaryFepf|geFkFobby-siteGmednsIftp org.homelinuxIunixGptoFttpb>E>-\
        dslHvpnFp-dynamicFs-a-bru>sf@Jc@didateKelticsf@KhefJgeekJknightJl>ux-us)Jpatsf@Jsoxf@ org.i\
        s-foundHlocalJ(HsavedHv)y-badMevilMgoodMniceMsweetGa-geekEjpnFsEkicks-assEmisconfusedFlbf@F\
        y-firewall org.myfirewallHtpGsecuritycame'GwireEnflf@Fo-ipGw-dnsEpimi{taFodzoneGivronGtag)F\
        ubtlsEread-booksImyblogFout>gthe[Gxa org.selfipHlsyourhomeGrvebbsJftpJgameF^ll-webFpdnsFtuf\
        f-4-saleFweetpepp)Eteckids.s3Foolf|geFunkGxfamilyFw^ilEufcf@Fs org.webhopHredirectFm[L.beta\
        GflabsEzaGptoD@icCig>sBsa~B°~CtBvhD.n)dpolApaC.abo pa.ac½m:bD>gDmed¾EomD|gDsldCgeE.aemFcode\
        b)gFdeuxfleursFheyflowGlx page.myboxFpdnsGleskGrvcyFrockyF(aticho(CnasonicCrisDsDtn)sEsEyCy\
        BccwBe§ pe.eduDgob²¾EomD|gCtBf§DeduD|gCiz)Bg*BhC.[nsEom ph.eduµDi²¾EgoD|gCar^cyCdCilipsCone\
        DtoFg'phyFsG.f'm)Cysio picsDtetEuresI.1337CdCnDgDkCone)CzzaF.ngrokBkºDbiz½mDedu pk.famDgkpE\
        obFgFkFpFsFv%DwebBlC.agroEidErtEtm pl.augustowFtoDbabia-go'Eedz>FepFskidyEialowiezaHy(okFel\
        awaHskoGszczadyFzEoleslawiecEydgoszczFtomDcfolks pl.cieszynEoFmEzeladzG(Ddfir^EkontoElugole\
        ~Decomm)ce-shopEduElblagFkDgdaGnskFyniaEliwice pl.glogowEm>aEnieznoE|liceFvG.apHgriwHicIsHk\
        mpspIonsulatIppspIwpKspHmupIw pl.gov.oiaJrmIkeIowIschrIumHpaI>bJwIoIrIspJseIupHrzgwHsa pl.g\
        ov.sdnIkoIoIrItaro(woHugJimImJigIpowJpoIsIwIzsHwifJih pl.gov.winbJosJtdJwIkzIsaJkrJseIuozIz\
        miuwHzpJisdnE'jewoEsmDhomesklepDilawa pl.infoDjaw|znoEel{ia-go'Ego'D~liszFrpaczGtuzyFszubyF\
        towiceFzimi)z-dolnyEepnoFtrzynElodzkoEobi)zyceFlobrzegFn> pl.konskowolaE'kowGsnikEutnoDlapy\
        Eeb|kFcznaFgnicaFzajskEim@owaEodzFmzaFwiczEubartowG>Gl> pl.lukowD^ilFlb|kGopols~FzowszeGury\
        EedGiaEia(aFelecHnoFlE'gowoEy¨DnakloEet pl.nieruchomosciEomFwarudaEysaDolawaFeckoFkuszFszty\
        nEpocznoGleErgE(rodaIle~IwiecJwlkpDpabi@ice pl.pcEilaFszElockEodhaleGlasieFlkowiceFm|skieIz\
        eFniatowaFwiatFzn@ErivFochowiceFuszkowFzew|sk pl.pulawyD'domFwa-^zEeale(ateFlEybnikEzeszowD\
        s@okEds[EejnyFxEhopHar{aEie'dzFmplesiteEki)niewice pl.sklepFoczowElaskFupskEopotFsGnowiecEt\
        alowa-wolaG'chowiceHgardEuwalkiEwidnicaJkGebodz>GnoujscieEzczec> pl.szczytnoFkolaDtargiGnob\
        rzegEg|yEmE|unFurismE'velEurekGy(y~EychyDuni[E(~DwalbrzychFrmia pl.warszawaFwEegrowEielunEl\
        oclIawekEodzislawFlom>ErocHlawDyou2Dzachpom|Fg@Fkop@eFrowEgi)z pl.zgoraHzelecCaceF.coDyE(at\
        ionCumb>gDsE.playitL.at*MwithBmC.nameDownBnC.co pn.eduµ%CcBohlCk)ClitieCrnC(BrºDbiz½mDeduE(\
         pr.govD>foEsla¼DproGfCaxiCessCimeCoD.aaaFcaGctFvocat pro.barHsyE[nsFpaE{gEjurEke{eticElawE\
        medEngrokErechtDdEuctionsDfDgressiveDmo propertiesHyDtectionCuDd{tialBs§:v%DploDsecBtC.123p\
        ag>aweb½m pt.eduµD>t¾EomeD|gDpublBubD.barsyEid*Ek>*BwC.[nsµDx443Cc py§Fop:v²%Aqa§:v²¼ qa.sc\
        hBponBuebecD(A'c>gCdioBeC.assoDc@Eom¾libCadDle(ateEt|FyCcipes redDumbrellaChabCiseFnDtCli@c\
        eCnDtEalsCpairD|tDublic@C(Eau'ntCview reviewsH.aemCxrothBichEardliDohClCoCpD.cl@BoC.artsDba\
        rsy½FmDfirm ro.infoDnomEtD|gDrecDshopEt|eDtmDwwwCcksF.li^-cityGmyddnsG(ackitGwebspaceCdeoCg\
        )s roomBsºDbarsyEr{dly.shop½:vD>D|gExCvpBuºEdygeyaDbashkiria ru.birDcbgEld^il.hbEomDdage(@D\
        eduEurodirµEroznyD>tD~lmykiaEu(@aiD^r>eEcdirI.vpsFpre ru.milFr[E|doviaEskEyj>oJ.ho(>g*Kl@d>\
        g*Kspectrum*Kvps*FtisDna4uFl´kEetEovD|gDpp ru.pyatigorskD'sDspbDvladi~v~zImirCgbyChrCnD.app\
        write*Ebuild*Ec@vaFode*Edatabase*Fevelopm{tElia'J.i'n run.lovableEmig'tion*EneedleEonp|t)E'\
        v{dbFeplE(ackitEvalH.webF)celEwixBwº½Fopµ rw.mil%CeByukyuAsa§:vDmed%DpubDschCarl@dCfe safet\
        yCku'CleDonCmsclubEungCndvikHc|om@tDofiCpCrlCsCveCxoBb§ sb.eduµ%CiCsBc§:v%CbChaeffl)DmidtDo\
        lar]ps schoolDuleDwarzCi{ceCotE.coFgovI.s)viceFmeGygovF|gBd§:vD>fo sd.med%DtvBeC.123m>sidaD\
        aEcDbEdE'ndDcEomDdDeDf se.fhFskFvDgDhDiEopsysEtcouldbew|DkEomf|bGmunalf|bundGvuxDlE@bibDmEy\
        ¨ se.nEaturbruksgymnDoErgDpEartiEpEressDrDsDtEmDuDwDxDy se.zCarchDtCcureFityCekClectCn)Crvi\
        cesI.log>l>eCv{CwCxDyBfrBg sg.comDeduEnscaledµ%BhC.botda½mµDhashb@gDlovable²¾EowD|g sh.plat\
        form.entNuMusDtelep|tC@grilaDrpCellCiaDkshaCoesDpE.barsyKonl>eHseFhoplixFshopware shoppingD\
        ujiDwE.msBiC.f5DgitappGpageClkCnaDglesCteE.barsyGy{Fcaffe>eHnva.my site.chatgptGloude'*GoHn\
        vexL.eu-we(-1Mus-©1Gp@elGyonFfa(vpsGig^K-govFheyflowFjeleGouwwebFlog>l>eF^dethis site.notio\
        nHvec|eFomniweGp{socialFpieboxGlatf|msh*IycodeGreviewGut)FscwI.amsJwawGolHurcec'ftGquareGrh\
        t site.supportFt(*FwpsquaredBjBkC.|gCiDnCyDpeBl§:v% slingBmCartCileBnC.art½m:uvD|gDunivCcfB\
        o§:v so.me%DsurveysCcc)DialCftb@kEwareChuClarDutionsCngDyCyBpaDce space.app-ionosGdeployag{\
        tGheiyuHfI.(aticGmyfa(GprojectGub)Gvibeho(Gxs4allC|tDtBrClBsC.biz ss.coFm:vDme%DschBtC.cn*E\
        oFmFnsuladoDeduEmbaixadaDhelioho st.kirara²¾EohoD|gDpr>cipeDsaotomeEt|eCadaDplesDrDteb@kFfa\
        rmCcDgroupCockholm storageEeF.barsyGsellfyHhopwareHt|ebaseCreamCudioEyCyleBuC.abkhaziaEdyge\
        yaEktyub>skErkh@gelskFm{ia su.ashgabadEz)baij@DbalashovFshkiriaEry@skEukha'D´mk{tDdage(@D©~\
        zakh(@ExnetDge|giaEroznyDiv@ovoDjambylD~lmykiaGuga su.karacolHg@daGeliaEha~ssiaE'snodarEurg\
        @F(@aiDl{ugDm@gyshlakE|doviaEskEurm@skDnal´kFvoiE|th-~zakh(@Fv su.obninskDp{zaEokrovskDso´E\
        pbDtashk{tE)mezEogliattiEroitskEsel>og'dEulaFvaDvladi~v~zImirEologdaCcks suppliesFyE|tH.bar\
        syCrfDg)yCzukiBv§:bD|gDredBwatchCissBx sx.govBy§:v²%CdneyC(emsH.knightpo>tImir{Bzº½D|g tabC\
        ipeiClkCobaoCrgetCtamot|sErDtooCxDiBcCiBdCkBeamE.discourse team.jelasticCchE.cleve'ppsEnolo\
        gyK.coClC^sekCnnisCvaBfC.schBgBhº½Dgo th.inDmi¾Donl>eErDshopCdCeat)FreBiaaCcketsC{daCpsCres\
        DolBj tj.biz½Fm:FvD>t²DnameEetEicD|gDte(DwebC^xxCx tkC^xxBlC.govBmC.coFm:v²¾EomD|gCallBn§ t\
        n.ensDf>µD>dFfoFtlDm>comDnatEetDo'nge[FgDp)soDtourismBoC.611½m to.eduµ²¾GtD|gEyaDquickconne\
        ct.directDvpnplusDx0CdayF.prequalifymeCkyoColsF.addr.dynGmyaddr topD.ntdllEwadl*C'yC]baCtal\
        CursCwnCyotaDsBrC.avDbbsEelEiz½m tr.drDeduDg{EovD>foDk12Eep²DnameEcF.govEetD|gDpolDtelEsk t\
        r.tvDwebCadeE>gD>>gDvelG)sJ>su'nceCu(CvBtC.biz½Fm:v tt.info²¼DproBubeCiCnesCshuBvC.bett)-th\
        @DdyndnsDfromDon-the-webDsaku' tv.worse-thanCsBwC.clubEomG.my^il)DebizEduDgameEovDidv²Eydns\
        %Durl tzº½DgoDhotelD>foDmeEilEobiDneD|DscDtvAuaC.bizDcc ua.cherkassyKyHnigovJhivJvtsiIovtsy\
        EkEnEoFmErFimeaEvExDdnFepropetrovsk ua.dnipropetrovskEonetskEp:vDifEnFfEv@o-f'nkivskDkhFark\
        ivIovF)sonFmelnitskiyJytskyiEiev ua.kirovogradEmErFopyvnytskyiFymEsEvEyivDlgEtFdEug@skFh@sk\
        FtskEvFiv ua.mkEykolaiv¾EikolaevDodFesaHsaErgDplEoltavaEpDrivneEovnoEvDsbEeba(opol ua.sevas\
        topolEmEumyDteFrnopilDuzFhg|odGh|odDvE>nicaHytsiaEnEolynDyaltaDza~rpattiaFp|izhzhe ua.zapor\
        izhzhiaEhitomirFytomyrEpEtBb@kCsBgº½Fm:Fv²Dne ug.orFgDscDusBkºDbarsy½F.adimoGbarsyLonl>eGla\
        y)]ft.jGmy¨Gnh-s)vHo-ipGretrosnub.cu( uk.connFproµG.apiHcampaignHs)viceDhospD>dep{d{t-commi\
        ssionP>que(TiryPp@elPreviewDltdDme¾Ehs uk.nimsiteDo'clegov[apps*FgG.aff>itylott)yHglugHlugK\
        sH'ffle{tryHweeklylott)yDplcEoliceEublic->quiryEymntDroyal-commissionDsch*Bnicom university\
        CoBolBpsBsC.ak<El<ErF.ccGk12 us.ar.libEs<Ez<Fure-apiI=sDca<Eloudns us.co<Et<Ddc<EeF.ccEniD{\
        scaled.phx us.fl<EreeddnsDga<Eolff@Eu<Dhelioho(Ei us.hi.ccGlibDia<Ed<El<EnF.cc us.in.k12Gli\
        bEs-byFaDks<Ey<Dla< us.land-4-saleD^F.ccGk12J.chtrKparochLvtGlibEd<Ee< us.miF.@n-arb|GccHog\
        Gd(GeatonGg{Gk12GlibGmusGtecGwasht{awFr[EnF.ccGk12 us.mn.libEo<EsF.ccGk12Et<Dnc< us.ndEe<Eg\
        oEh<Ej<EmF.cc us.nm.k12GlibEoipEsnEv<Ey<Doh< us.ok<Er<Dpa<Eo>ttoErF.ccGk12 us.pr.libDriF.cc\
        GlibDsc<EdF.ccGlibE)v)nameErvG.ghIlEtuff-4-sale us.tn<Ex<Dut<Dva< us.vi<Et<DwaF.ab)de{Gba>b\
        ridge-islHellevueHrem)tonGccH{t'liaHhehalis us.wa.forksGgig-harb|GhoquiamGk12Heyp|tH>g(onGl\
        ibGolympiaGp|t-@gelesLludlowL|chardLtowns{dIulsboGredmondIntonGsea us.wa.seattleIquimHhelto\
        nHilv)daleGyarrow-po>tEi<EvF.ccEy<By uy.comDeduDgubEv²%BzC.coFm%AvaCcationsCnaDguard vcC.0e\
        *½m:vEvF.d²Eydns%BeC.artsDbib½Fm ve.e12EduEmpr{deDfirmDgobFvDiaEnfoFt²¾EomD|gD'rEecD(|e ve.\
        tecDwebCgasCnturesCrisignDsich)ungCtBgC.eduBiC.coFmDk12%Cajes videoCgCk>gCllasCnCpD.hidnsCr\
        g>CsaDionCvaDoBla@d){BnºEi vn.angiangDbacgi@gGk@GlieuGn>hFria-vungtauE{treE>hd>hIuongHphuoc\
        Hthu@FzDca^uFnthoFob@gEom vn.daklakGnongFn@gEi{bi{EongnaiHthapDeduDgialaiEovDhagi@gFiduongG\
        phongFnamGoiFt>hFugi@g vn.healthEoab>hEueFngy{DidEnfoFtEoDkh@hhoaEi{gi@gEontumDlaichauFmdon\
        gFngsonFocaiEong@ vn.namdinhGeEetEghe@E>hb>hHthu@D|gDphuthoGy{EroDqu@gb>hInamJgaiJ>hItriDso\
        ct'ng vn.sonlaDtayn>hEhaib>hHnguy{GnhhoaIphoho´m>hFuathi{hueEi{gi@gE'v>hEuy{qu@gDv>hlongHph\
        ucDy{baiBod~ClvoCte votingDoCyageBu§Dedu%AwalesD^rtDt)CngEgouCtchFesBeath) weatherchannelCb\
        DcamD)DsiteH.f'm)CdDd>gCiboDrBfC.bizDschBhoswhoBi{Cki wiki.framerClliamhillCnDdowsDeDn)sBme\
        BoodsideCrkE.i^g>e-proxyFput)EsDldCwBsC.advis|* ws.cloud66EomDdyndns:vDmypets%BtcCfD.ddnsAx\
        boxB)oxBihu@CnBn--11b4c3d xn--1ck2e1bFqqw23aE2scrj9cE30rr7yFb(00mFds443gFe0b707eFhcrj9cFpxu\
        8kE42c2d9aF5br5cylIj9cGq11cFdbrk0ceM.xn--4dbgdty6cR5dbhl8d xn--4dbrk0ce.xn--8dbq2aRhebda8bF\
        gbrimE54b7fta0ccF5qw42gHx5dFsu34j936bgsgFtzm5gE6frz82gFqq986b3xlE80adxhksHo21aHqecdr1aHsehd\
        bIwgFy0a063a xn--90a3acK.xn--80auP90azhPc1avgPd1atPo1acThHeHisFdbq2aFet52uFkrt00aEb4w605f)d\
        Fck1b9a5dre4cEc1avgF2br7g xn--cck2b3bHwcxetdFg4bkiFlchc0ea0b2g2a9gcdFzr694bHs0tHu2dEd1acj3b\
        HlfEe1a4cFckvdtc9dFfvy88hEfct429kFhbeiFiq228c5hsH64b xn--fiqs8sHz9sFjq720aFlw351eFpcrj9c3dF\
        zc2c9e2cGys8d69uvgmEg2xx48cFckr3f0fFecrj9cFk3at1eEh2breg3eveIj9cL8cFxt814eEi1b6b1a6a2e xn--\
        imr513nFo0a7iEj1aefHmhF6w193gL.xn--55qx5dQgmqw5aQmxtq1mQod0algQuc0atvQwcvs22dFlq480n2rgFvr1\
        89mEkcrx77d1x4aFprw13dHy57d xn--kput3iEl1accFgbbat1ad8jEmgb2ddesH9awbfHa3a3ejtK4f16aM'I7c0b\
        bn0aIam7a8hIb2bdIh1a3hjkrdIi9a5eva00bLzgqp6jIyh7gpaHbh1a xn--mgbbh1a71eHc0a9azcgIa7dzdoIpq6\
        gpa1aH)p4a5d4a87gQrHgu82aHi4ecexpHpl2fhHqly7c0a67fbcMvafrHt3dhdIf8flIx2bHx4cd0abFix082f xn-\
        -mix891fFk1bu44cFxtq1mEngbc5azdHe9e0aHrxFnx388aFodeFqv7fJs00e^Fyqy26aEo3cw4hK.xn--12c1fe0br\
        Sfi8ixb8lSo0c3b4evaPh3cuzk1di xn--o3cw4h.xn--m3ch0j3aPo3cyx2aFgbpf8flFtu796dEp1acfJ.xn--41a\
        O80aaa0cvacO90a1afRmcOc1avgOh1ahnRlizOj1adpRefSl8bHi xn--pgbs0dhFssy2uEq7ce6aF9jyb4cFc~1pmc\
        Fxa6aHmErhqv96gFovu88bFvc1e0am3eEs9brj9cFes554gEt60b56aFckweFiq49xqyjEunup4y xn--vermgensbe\
        rater-ctbRung-pwbFhquvFuq861bEw4r85el8fhu5dn'Hs40lFgbh1cHl6aExhq521bFkc2al3hye2aIdl3a5ee0hE\
        y9a3aqFfro4i67oFgbi2ammxEzfr164bBxx xyzD.botdashEcaffe>eEexeEop{tunnelEtelebit*AyachtsChooC\
        ^xunCndexBe§:v²¾ ye.orgBodoba]CgaCkoha^CuDtubeBtC.|gBunAza.acEgricElt½:vErondar za.law²¾Ego\
        EicFsEomD|gDschoolDtmDwebCpposC'B)oBipBm zm.acDbiz½Fm:vD>fo²%DschBoneE.li^Fprg1-z)opsF(acki\
        tFtriton* zone.zerops*Bu)ichBwº½µ²D|g
        """
}
