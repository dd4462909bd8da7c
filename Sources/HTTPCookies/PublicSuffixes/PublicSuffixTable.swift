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
        -lambda F.ccGk12Glib website in t'nsf)-webapp an cloud shi ma -1. en or xecute-api ka
        """

    static let rules =
        """
        aaaCrpBbbDottDvieCcCleCogadoCudhabiBcC.comDdrrDeduDfeedbackE|msDgov ac.mil%DschCademyH.offi\
        cialCc{tureDount@tKsCoCt|BdCsCultBeC.ac ae.coDgovDmil%DschCgCroE.accid{t->ve(igationOprev{t\
        ionG)obaticJclubJdromeGg{tsGir-surveill@ceJt'ffic-control aero.aircraftIl>eIp|tIt'fficGmbul\
        @ceGssociationGuth|Fballoon>gGrok)FcaaHrgoHt)>gG)tificationGhampion]pIrt)Givilaviation aero\
        .clubGonf){ceIsult@tM>gItrolHuncilGrewFdesignGgcaFeducat|Gm)g{cyGng>eL)Ht)ta>m{tGquipm{tGxc\
        h@ge aero.expressFfede'tionGlightGreightGuelFglid>gGov)nm{tGroundh@dl>gJpFh@gglid>gGomebuil\
        tF>su'nceFjournalMi(Fleas>gGogi(ics aero.magazineH>t{@ceHrketplaceGediaGicrolightGodell>gFn\
        avigationFpa'chut>gJglid>gHss{g)-associationGilotGressHoductionFrecreationHpbodyHs aero.res\
        earchGot|c'ftFsafetyGci{ti(G)vicesGhowGkydiv>gGoftwareGtud{tFtaxiG'd)J>gI>)FunionFw|k>ggrou\
        pJs aetnaBfC.com:v%ClCricaBgC.coFmDnetEomDobjErg agakhanC{cyBiC.comDf'm)DkiloappsDnetDoffEr\
        gDuwuCgCrbusDf|ceDtelBkdnBl al.com:vDmil%CibabaDpayClf>@zD(ateDyCsaceDtomBmC.coFm am.commun\
        e%D'dioCazonC)ic@expressIfamilyDxCfamCicaC()damBnalyticsCdroidCqu@CzBo ao.coDedFuDgovEvDitD\
        ogErgDpbClBpartm{tsCpD.aiv{Ebase44Feget*Fotdash app.braveJ.s*EclaudeG)kJ(ageGoudflareFodep{\
        GnvexGrespeedFsbH.previewEdevelop)*Ee2bFasyp@elFdgecomputeFncr app.encr.frontendFv)vault.re\
        layFxpoI.onJ(ag>gQ.onEflutt)flowF'm)EgadgetFithubEhackclubGsu'Fo(ed*EleapcellFog>l>eGvable \
        app.luyaniE^gicpatt)nsFedusajsGss)liFir{FochaEnetlifyFgrokJ-freeFoopGrthfl@k*FyatEon-fleekG\
        digitaloce@Gh)culesEpplx app.puterE'ilway.upFeplitK.idFun*H.mtls*E]ptodayFnowflake*N.privat\
        el>k*FpawnbaseGritesFtreamlitEtelebitFypedreamEupsun*Ev)cel app.walGsm)FebF>dsurfFnextEzeab\
        urGrops*DleF.>tJ.[*P.r*R.ap-n|th-1*Vsouth-1*Zh-2*Seu-c{t'l-1*Vn|th-1* apple.int.cloud.r.us-\
        central-1*Z'l-2*Vea(-1*Z-2*Vwe(-1*Z-2*Z-3*BqCuarelleBrC.betDcomFop:bFv ar.intDmilEusicaFtua\
        l%DsegFnasaDturCabDmcoCchiCmyCpaE.e164Fhome arpa.in-addrGp6GrisFuriHnCtDeBsC.govCdaCiaE.[ns\
        FdaemonGixCsociatesBt at.123webseiteFhpD2ixD4Eli^DacF.(hDcoDdnshomeDfunkfeu).wi{Fturecms*M.\
        ex*N>*Jho(>gJ^il>gDgv at.lima-cityDmyFspreadshopD|Fts>fo.ex*Mkund{*DprivChletaCt|neyBuC.act\
        EsnDcomG.[lets.melHmyspreadshopFnf au.eduG.actHcatholicHnswItHqldHsaHtasHvicHwaDgovG.qldHsa\
        HtasHvicHwa au.idDnetEswEtD|gEzDqldDsaDtasDvicDwaCctionCdiEbleEoCspo( authorDoEsBwC.comCsD.\
        on.af-south`airflow*Slambda-urlS?Ip-ea(`airflow*Rlambda-urlR?Kn|thea(`airflow*Wlambda-urlW?\
        U2.airflow* aws.on.ap-northeast-2.lambda-urlW?U3.airflow*Wlambda-urlW?Ksouth`airflow*Slambd\
        a-urlS?Q2.airflow*S?Pea(`airflow*Wlambda-urlW?U2.airflow*Wlambda-urlW? aws.on.ap-southeast-\
        3.airflow*Wlambda-urlW?U4.airflow*W?U5.airflow*W?U7.?Hca-c{t'l`airflow*Ulambda-urlU?Kwe(`ai\
        rflow*R?Heu-c{t'l`airflow*Ulambda-urlU? aws.on.eu-central-2.airflow*U?Kn|th`airflow*Slambda\
        -urlS?Ksouth`airflow*Slambda-urlS?Q2.airflow*S?Kwe(`airflow*Rlambda-urlR?P2.airflow*Rlambda\
        -urlR? aws.on.eu-west-3.airflow*Rlambda-urlR?Hil-c{t'l`airflow*U?Hme-c{t'l`airflow*U?Ksouth\
        `airflow*Slambda-urlS?Ix-c{t'l`?Hsa-ea(`airflow*Rlambda-urlR?Hus-ea(`airflow*Rlambda-url aw\
        s.on.us-east-1.transfer-webappP2.airflow*Rlambda-urlR?Kgov-ea(`?Zsf)-webapp-fipsOwe(`?Zsf)-\
        webapp-fipsKwe(`airflow*Rlambda-urlR?P2.airflow*Rlambda-urlR?Erepo(.private*Esage^k).af-sou\
        th`/ aws.sagemaker.af-south-1.studioPp-ea(`/Y(udioRn|thea(`label>gZt`/Zt`(udioZt-2.label>gZ\
        t-2./Zt-2.(udioZt-3./Zt-3.(udioRsouth`label>gZ/Z(udioX2./Wea(`label>g aws.sagemaker.ap-sout\
        heast-1.notebookZt`(udioZt-2.label>gZt-2./Zt-2.(udioZt-3./Zt-3.(udioZt-4./Oca-c{t'l`label>g\
        Z1./Z1./-fipsZ1.(udioRwe(`/Zotebook-fipsOeu-c{t'l`label>gZ1./ aws.sagemaker.eu-central-1.st\
        udioZ2./Z2.(udioRn|th`/Z(udioRsouth`/Z(udioX2./Z(udioRwe(`label>gY/Y(udioW2.label>gY/Y(udio\
        W3./ aws.sagemaker.eu-west-3.studioPxp)im{ts*Oil-c{t'l`/Z1.(udioOme-c{t'l`/Z1.(udioRsouth`/\
        Z(udioOsa-ea(`/Y(udioOus-ea(`label>gY/Zotebook-fipsY(udioW2.label>gY/ aws.sagemaker.us-east\
        -2.notebook-fipsY(udioRgov-ea(`/Z`/-fipsZ`(udioZ`(udio-fipsVwe(`/Z`/-fipsZ`(udioZ`(udio-fip\
        sRwe(`/Zotebook-fipsY(udioW2.label>gY/Zotebook-fips aws.sagemaker.us-west-2.studioBxCaBzC.b\
        izDcoFm:vD>foFtDmilDnameEetD|gDpp az.proCureAbaC.br{dly.shopDcom:vDmil%DrsCbyCiduCnamexDdDk\
         barD.resolveDcelonaElaycardHsDefootDga>sCseballDketballK.ausLnzCuhausCy)nBbC.bizDco bb.com\
        :vD>fo%D(|eDtvCcCtCvaBcgCnBdC.acEi bd.coFm:vDidEnfoEtDmil%DschDtvBeC.123=DacD[ns be.interho\
        stsolutions.cloudDkuleuv{.ezproxyDmyFspreadshopDt'nsurl*Dwebho(>gCatsDutyC)Crl>G.ddnsC(Ebuy\
        CtBfC.gov bgC.0D1D2D3D4D5D6D7D8D9DaDbEarsyDcDd bg.eDfDgDhDiDjDkDlDmDnDoDpDqDrDsDt bg.uDvDwD\
        xDyDzBhC.com:v%CartiBiC.coFm bi.eduD|FgCbleCdCkeCngEoCoCzD.activet'ilE[-ipJnsEds[FyndnsEf|-\
        bett) biz.for-moreIsomeItheEjoziEm^f@FyftpEno-ipE|xEselfipEwebhopBjC.africaEgroErchitectesE\
        ssurEvocats bj.coFmDecoGnoEduD>foDloisirsDmoney%EteDre(au'ntHoDtourismDunivBlack blackfrida\
        yCockbu()DgDomb)gCueBmC.com:v%CsCwBnC.coFm bn.eduDgov%CpparibasBoC.academiaEgroErteDblogEol\
        iviaDci{ciaEomFope'tivaDdemoc'ciaFp|te bo.ecologiaGnomiaEduEmpresaDgobD>dig{aGu(riaFfoFtDme\
        dic>aEilEovimi{toEusicaDnatu'lEetEombre bo.noticiasD|gDpatriaElur>acionalEoliticaErofesiona\
        lEuebloDrevi(aDsaludDtecnologiaEksatE'nsp|teEvDwebEikiCats boehringerCfaCmCndCoDkE>gCschDti\
        kEonCtCutiqueCxBrC.9guacuDabc br.admFvEgrEjuEmEn@iEparecidaFiFpErqFtEtoDbEaru)iEelemFt br.b\
        hzEibFoElogEmdEoavi(aEsbDcamp>ag'ndeKsFxiasEimEngFtEomG.simplesiteFntagem br.coopFzEriEuiab\
        aFritibaDdefFsFtFvDecnFoEduEmpEnfFgEsp br.etcFiDfarEei'ElogGripaEmEndE|talFtFzE(Dg12EeoEgfE\
        oi@ia br.govG.acIlImIpHbaHceHdfHesHgoH^IgIsItHpaIb br.gov.peIiIrHrjInIoIrIsHscIeIpHtoEruDia\
        EmbEnd br.infDjabFmpaEdfEo>villeFrEusDlegG.acIlImIpHbaHceHdfHes br.leg.goH^IgIsItHpaIbIeIiI\
        rHrjInIoIrIsHsc br.leg.seIpHtoFilaoFlEogFndr>aD^capaGeioFnausFr>gaFtEedEilE|{aEp br.musDnat\
        alEetEit)oiEom*FtEtrDodoEngErgEsascoDpal^sEoaEpgEroEsc br.psiEvhDqslD'dioEecGifeFpEibei'oFo\
        Gb'ncoGpretoDsalvad|FmpaFnta^riaHo@dreFob)nardo br.saogoncaEegEjcElgFzEocialFrocabaErvDtaxi\
        EcFheEecFoEheEmpErd br.turEvDudiDvetEixElogDwikiDxyzDzlgCadescoCidge(oneCoadwayDk)Dth)Cusse\
        lsBs bs.com:v%DweBtC.com:v%BuildF.]ptodayGv0Gw>dsurf buildersI.[siteCs>essI.coCyCzzBvBwC.ac\
        DcoDgov%ByC.comDgov by.mediatechEilDofBzC.coFm:vEsjDmydns%DzaChAcaC.ab ca.awdev*DbarsyEcEox\
        DcoDgcDmbEyspreadshopDnbEfElEo-ipEsEtEuDon ca.onidDpeDqcDskDykCbCfeClDlDv>kle>CmDe'DpE.emf.\
        atCnonCpetown capitalHoneCrDav@DdsDeE)GsDsCsaE.nabu.uiDeE.savDhD>oCt cateringDholicBbaCnCre\
        BcC.ccwuEleve'ppsFoud-ipInsEsxDecEuDf@tasyleagueEtpaccessDgame-s)v) cc.guDmyphotosDsc'pp>gE\
        pawn.>(@cesEryzeDtw^ilDukEsBdC.ccDgovB{t)CoCrnBfCa cfdBgBhC.123=FhpD2ixD4li^D[nsIscale.cu(O\
        lpg.objectsOr^.objectsDdnsk>gDfir{et*K.svc*Elow.ae.alp1Jpp{g>e ch.gotdnsDli^-cityFnkyard-[D\
        myspreadshopDobject(o'ge.lpgRr^Dsquare7C@elEnelDrityDseDtCeapC>taiCri(^sDome churchBiC.acEs\
        soDcoFmDedFuDgoFuvD>tDnetD|FgDusDxn--arop|t-bya ciprianiCrcleCscoCtadelDiEcDyBk*C.www!BlC.[\
        nsEoDgobFvDmilCaims cleaningCickDnicFqueCoth>gDudF.@tagoni(Hxarnet.es-1Gbegetcdn*GconvexM.e\
        u-we(-1Nus-ea(-1GdiademHnshomeGelem{t|Hm)g{t cloud.encoway.euGh(grGjela(ic.vipJeInv-aruba.a\
        ruba.eur.it1Rit1HoteKluluGk2.ela(icJru-msk.lbQs3Q=Mspb.lbQs3Q=Js3 cloud.k2.websiteHeliwebN.\
        csHuleuv{Gla'velH>kyardG^g{tosite*ItlabGobs)vablehqHn-'nch)*Il>e-s)v)I(ackit.runsHxaJ.tnKuk\
        Gp)specta cloud.primetelO.ukG'v{dbHeclaim.caOukPsGscw.baremetal.fr-par-1Zr-2Unl-ams-1Kfr-pa\
        r.cockpitRddlStwhRfncU.functionsRifrRk8s cloud.scw.fr-par.k8s.nodesSafkRmgdbRrdbRs3T-=ScblR\
        whmK>(@ces.privVubKk8sKnl-ams.cockpitRddlStwhRifrRk8s cloud.scw.nl-ams.k8s.nodesSafkRmgdbRr\
        dbRs3T-=ScblRwhmKpl-waw.cockpitRddlStwhRifrRk8sU.nodesSafkRmgdb cloud.scw.pl-waw.rdbRs3T-=S\
        cblKscalebookL^rtlabel>gH)veboltHtatics*Gt'fficplexI{dho(>g.chTdeGunison-s)vicesHrownGvap|H\
        o|lop)Gzap clubE.barsyF[nsFjeleEmedBmC.coFmDgovDnetBnC.acEhDbjDc@va-appsIsite.my cn.comG.a^\
        zonaws.airflow.cn-n|th-1*Zcn-n|thwe(-1*Rcn-n|th`d#Z`d#$Z`d#-=Z`em'ppui,`emr/s,`emr(udio,`e}\
        Z`rds*Z`s3Z`s3$Z`s3-deprecatedZ`s;Z`s3-= cn.com.amazonaws.cn-northwest-1.dualstack.s3Zwe(`d\
        #$Zwe(`em'ppui,we(`emr/s,we(`emr(udio,we(`e}Zwe(`rds*Zwe(`s3Zwe(`s3$Zwe(`s;Zwe(`s3-=Sompute\
        *Reb.cn-n|th-1Zrthwe(-1Slb*Nwebs)vices.on.cn-n|th`airflow* cn.com.amazonwebservices.on.cn-n\
        orth-1.transfer-webappZon.cn-n|thwe(`airflow*Zon.cn-n|thwe(`?Hsage^k).cn-n|th`/Z`(udioZwe(`\
        /Zwe(`(udioEqDeduDfjDgdEovEsExEzDha cn.hbEeEiEkElEnDjlEsExDkhsjDlnDmilEoEyqnap[DnetEm cn.nx\
        D|gDqhEuickconnect.directDscEdEhF.asEnExDtjEwDxjEn--55qx5dHio0a7iHod0alg cn.xzDynDzjBoC.car\
        rdEomErdDeduDfirewalledreplitT.idDgovDhidnsDleadpagesEpagesDmilEypi co.netEomD|gEtap*Drdpa.\
        clu()s*Isrvrless*EeplH.idDsupabaseL.realtimeM(o'geDumsoDxmit*CachCdesF.owo* coffeeCllegeDog\
        neCmD.0emm*E180rFcooldnsF~ppE3utilitiesE4uEa2ho(edFbrdnsFdobeaem[R.dev*FfricaFiv{[* com.ali\
        ases121Hbaba[csGpha-myqnap[F^zonaws.af-south`aws-clo&etsZ[9.vfsZclo&etsZd#Zd#$Zd#-=Zem'ppui\
        ,emr/s,emr(udio,e}Zs3Zs3$Zs; com.amazonaws.af-south-1.s3-websitePirflow.af-south-1*Xp-ea(-1\
        *Zn|thea(-1*Zn|thea(-2*Zn|thea(-3*Zsouth-1*Zsouth-2*Zsouthea(-1*Zsouthea(-2*Zsouthea(-3*Zso\
        uthea(-4*Zsouthea(-5*Zsouthea(-7*Wca-c{t'l-1*Zwe(-1* com.amazonaws.airflow.eu-central-1*Zc{\
        t'l-2*Zn|th-1*Zsouth-1*Zsouth-2*Zwe(-1*Zwe(-2*Zwe(-3*Wil-c{t'l-1*Wme-c{t'l-1*Zsouth-1*Wsa-e\
        a(-1*Wus-ea(-1*Zea(-2*Zwe(-1*Zwe(-2* com.amazonaws.ap-east-1.aws-cloud9.webview-assetsY[9.v\
        fsZlo&etsYd#Z#$Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z;Z3-=Rn|thea(`@alytics-gatewayZt`aws-clo&etsZt\
        `[9.vfs com.amazonaws.ap-northeast-1.cloud9.webview-assetsZt`d#Zt`d#$Zt`d#-=Zt`em'ppui,t`em\
        r/s,t`emr(udio,t`e}Zt`s3Zt`s3$Zt`s;Zt`s3-=Zt-2.@alytics-gatewayZt-2.aws-clo&etsZt-2.[9.vfsZ\
        t-2.clo&ets com.amazonaws.ap-northeast-2.dualstack.s3Zt-2.d#$Zt-2.d#-=Zt-2.em'ppui,t-2.emr/\
        s,t-2.emr(udio,t-2.e}Zt-2.s3Zt-2.s3$Zt-2.s;Zt-2.s3-=Zt-3.aws-clo&etsZt-3.[9.vfsZt-3.clo&ets\
        Zt-3.d#Zt-3.d#$ com.amazonaws.ap-northeast-3.dualstack.s3-websiteZt-3.em'ppui,t-3.emr/s,t-3\
        .emr(udio,t-3.e}Zt-3.s3Zt-3.s3$Zt-3.s;Zt-3.s3-=Rsouth`@alytics-gatewayZaws-clo&etsZ[9.vfsZc\
        lo&etsZd#Zd#$Zd#-= com.amazonaws.ap-south-1.emrappui-prodZemr/s,emr(udio,e}Zs3Zs3$Zs;Zs3-=X\
        2.d#Zd#$Zd#-=Zem'ppui,emr/s,emr(udio,e}Zs3 com.amazonaws.ap-south-2.s3-accesspointZs;Zs3-=W\
        ea(`@alytics-gatewayZt`aws-clo&etsZt`[9.vfsZt`clo&etsZt`d#Zt`d#$Zt`d#-=Zt`em'ppui,t`emr/s,t\
        `emr(udio,t`e}Zt`s3Zt`s3$ com.amazonaws.ap-southeast-1.s3-object-lambdaZt`s3-=Zt-2.@alytics\
        -gatewayZt-2.aws-clo&etsZt-2.[9.vfsZt-2.clo&etsZt-2.d#Zt-2.d#$Zt-2.d#-=Zt-2.em'ppui,t-2.emr\
        /s,t-2.emr(udio,t-2.e}Zt-2.s3Zt-2.s3$Zt-2.s; com.amazonaws.ap-southeast-2.s3-websiteZt-3.d#\
        Zt-3.d#$Zt-3.d#-=Zt-3.em'ppui,t-3.emr/s,t-3.emr(udio,t-3.e}Zt-3.s3Zt-3.s3$Zt-3.s;Zt-3.s3-=Z\
        t-4.d#Zt-4.d#$Zt-4.d#-=Zt-4.em'ppui-prod com.amazonaws.ap-southeast-4.emrnotebooks-prodZt-4\
        .emr(udio,t-4.e}Zt-4.s3Zt-4.s3$Zt-4.s;Zt-4.s3-=Zt-5.d#Zt-5.d#$Zt-5.d#-=Zt-5.e}Zt-5.s3Zt-5.s\
        3$Zt-5.s3-deprecatedZt-5.s;Zt-5.s3-= com.amazonaws.ca-central-1.aws-cloud9.webview-assetsZ1\
        .[9.vfsZ1.clo&etsZ1.d#Z1.d#$Z1.d#$-fipsZ1.d#-fipsZ1.d#-=Z1.em'ppui,1.emr/s,1.emr(udio,1.e}Z\
        1.s3Z1.s3$Z1.s3$-fipsZ1.s3-fips com.amazonaws.ca-central-1.s3-object-lambdaZ1.s3-=Rwe(`d#Z#\
        $Z#$-fipsZ#-fipsZ#-=Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z3$-fipsZ3-fipsZ; com.amazonaws.ca-west-1.\
        s3-websitePompute*V-1*Oelb*Pu-c{t'l`@alytics-gatewayZ1.aws-clo&etsZ1.[9.vfsZ1.clo&etsZ1.d#Z\
        1.d#$Z1.d#-=Z1.em'ppui,1.emr/s,1.emr(udio,1.e}Z1.s3 com.amazonaws.eu-central-1.s3-accesspoi\
        ntZ1.s;Z1.s3-=Z2.d#Z2.d#$Z2.d#-=Z2.em'ppui,2.emr/s,2.emr(udio,2.e}Z2.s3Z2.s3$Z2.s;Z2.s3-=Rn\
        |th`aws-clo&etsZ[9.vfs com.amazonaws.eu-north-1.cloud9.webview-assetsZd#Zd#$Zem'ppui,emr/s,\
        emr(udio,e}Zs3Zs3$Zs;Zs3-=Rsouth`aws-clo&etsZ[9.vfsZclo&etsZd#Zd#$ com.amazonaws.eu-south-1\
        .dualstack.s3-websiteZem'ppui,emr/s,emr(udio,e}Zs3Zs3$Zs;Zs3-=X2.d#Zd#$Zd#-=Zem'ppui,emr/s,\
        emr(udio,e} com.amazonaws.eu-south-2.s3Zs3$Zs;Zs3-=Rwe(`@alytics-gatewayZws-clo&etsY[9.vfsZ\
        lo&etsYd#Z#$Z#-=Yem'ppui,mr/s,mr(udio,}Ys3 com.amazonaws.eu-west-1.s3-accesspointZ3-depreca\
        tedZ;Z3-=W2.aws-clo&etsY[9.vfsZlo&etsYd#Z#$Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z; com.amazonaws.eu\
        -west-2.s3-websiteW3.aws-clo&etsY[9.vfsZlo&etsYd#Z#$Z#-=Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z;Z3-=\
        Oil-c{t'l`aws-clo&ets com.amazonaws.il-central-1.cloud9.vfsZ1.d#Z1.d#$Z1.d#-=Z1.em'ppui,1.e\
        mr/s,1.emr(udio,1.e}Z1.s3Z1.s3$Z1.s;Z1.s3-=Ome-c{t'l`d#Z1.d#$Z1.d#-=Z1.em'ppui-prod com.ama\
        zonaws.me-central-1.emrnotebooks-prodZ1.emr(udio,1.e}Z1.s3Z1.s3$Z1.s;Z1.s3-=Rsouth`aws-clo&\
        etsZ[9.vfsZclo&etsZd#Zd#$Zem'ppui,emr/s,emr(udio,e} com.amazonaws.me-south-1.s3Zs3$Zs;Zs3-=\
        Ords.af-south-1*Tp-ea(-1*Z-2*Vn|thea(-1*Zhea(-2*Zhea(-3*Vsouth-1*Zh-2*Zhea(-1*Zhea(-2*Zhea(\
        -3*Zhea(-4* com.amazonaws.rds.ap-southeast-5*Zhea(-6*Zhea(-7*Sca-c{t'l-1*Vwe(-1*Seu-c{t'l-1\
        *Z'l-2*Vwe(-1*Z-2*Z-3*Sil-c{t'l-1*Sme-c{t'l-1*Vsouth-1*Tx-c{t'l-1*Ssa-ea(-1*Sus-ea(-1* com.\
        amazonaws.rds.us-east-2*Vgov-ea(-1*Zwe(-1*Vn|thea(-1*Vwe(-1*Z-2*Os3Q-1Rap-ea(-1Un|thea(-1Ze\
        a(-2Zea(-3Usouth-1Zea(-1Zea(-2Rca-c{t'l-1 com.amazonaws.s3-eu-central-1Un|th-1Uwe(-1Z2Z3Sxt\
        )nal-1Rfips-us-gov-ea(-1Zgov-we(-1Rglobal.accesspo>t.m'pRme-south-1Rsa-ea(-1Rus-ea(-2Ugov-e\
        a(-1Ywe(-1Uwe(-1Z2 com.amazonaws.s3-website-ap-northeast-1Zap-southea(-1Zap-southea(-2Zeu-w\
        e(-1Zsa-ea(-1Zus-ea(-1Zus-gov-we(-1Zus-we(-1Zus-we(-2Pa-ea(`aws-clo&etsY[9.vfsZlo&etsYd#Z#$\
        Z#-=Yem'ppui-prod com.amazonaws.sa-east-1.emrnotebooks-prodZmr(udio,}Ys3Z3$Z;Z3-=Ous-ea(-1X\
        .@alytics-gatewayZws-clo&etsY[9.vfsZlo&etsYd#Z#$Z#$-fipsZ#-fips com.amazonaws.us-east-1.dua\
        lstack.s3-websiteYem'ppui,mr/s,mr(udio,}Ys3Z3$Z3$-fipsZ3-deprecatedZ3-fipsZ;Z3-=W2.@alytics\
        -gatewayZws-clo&etsY[9.vfsZlo&ets com.amazonaws.us-east-2.dualstack.s3Z#$Z#$-fipsZ#-fipsZ#-\
        =Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z3$-fipsZ3-deprecatedZ3-fipsZ;Z3-= com.amazonaws.us-gov-east-\
        1.dualstack.s3Z`d#$Z`d#$-fipsZ`d#-fipsZ`d#-=Z`em'ppui,`emr/s,`emr(udio,`e}Z`s3Z`s3$Z`s3$-fi\
        psZ`s3-fipsZ`s;Z`s3-=Vwe(`d# com.amazonaws.us-gov-west-1.dualstack.s3-accesspointZ`d#$-fips\
        Z`d#-fipsZ`d#-=Z`em'ppui,`emr/s,`emr(udio,`e}Z`s3Z`s3$Z`s3$-fipsZ`s3-fipsZ`s;Z`s3-=Rwe(`aws\
        -clo&etsY[9.vfs com.amazonaws.us-west-1.cloud9.webview-assetsYd#Z#$Z#$-fipsZ#-fipsZ#-=Yem'p\
        pui,mr/s,mr(udio,}Ys3Z3$Z3$-fipsZ3-fipsZ;Z3-= com.amazonaws.us-west-2.analytics-gatewayZws-\
        clo&etsY[9.vfsZlo&etsYd#Z#$Z#$-fipsZ#-fipsZ#-=Yem'ppui,mr/s,mr(udio,}Ys3Z3$Z3$-fips com.ama\
        zonaws.us-west-2.s3-deprecatedZ3-fipsZ;Z3-=Kcognito.af-south`authTp-ea(`authVn|thea(`authZh\
        ea(-2.authZhea(-3.authVsouth`authZh-2.authZhea(`authZhea(-2.authZhea(-3.authZhea(-4.authZhe\
        a(-5.auth com.amazoncognito.ap-southeast-7.authSca-c{t'l`authVwe(`authSeu-c{t'l`authZ'l-2.a\
        uthVn|th`authVsouth`authZh-2.authVwe(`authZ-2.authZ-3.authSil-c{t'l`authSme-c{t'l`authVsout\
        h`authTx-c{t'l`authSsa-ea(`auth com.amazoncognito.us-east-1.authZ`auth-fipsZ-2.authZ-2.auth\
        -fipsVgov-ea(`auth-fipsZwe(`auth-fipsVwe(`authZ`auth-fipsZ-2.authZ-2.auth-fipsGplifyappFppc\
        hiziHl>ziHs-1@d1Ipaceho(edMus)cont{t com.appspotL.r*Ftlassi@-3p*Q-us-gov-mod*Oisolated-3p*G\
        metaFuius)cont{t*Gthgear-(ag>gMappsFwsapprunn)*KsHglobalaccele't|Ebal{a-devicesGrsyc{t)Jonl\
        >eGse44-s@dbox com.blogdnsIspotJyteFoutirFplacedFrFuiltwithdarkGmbleshrimpEcafjsGnva-appsKh\
        o(ed-embedJcodeFdn77-(o'geFechireFf-ipfsFiscofreak com.claudeusercontentV.f'meGev)-[.s)vice\
        s*Goudflare-ipfsFnFoGde.build)*Jdev-build)*J(g-build)*IspotFp'pidGs)v)Furs|us)cont{t*G(om)-\
        oci*Q.oci*Tp* com.customer-oci.ocs*Edamns)v)Gtadetect.demoP>(@ceHtolocalJrelayJwebFdnsfreeI\
        geekJuruIk>gFeGployag{tGus-c@vasGv-myqnap[H>apps* com.digitaloceanspaces*Gsc|dsaysMezGtchyo\
        uripFnsabrIliasHdojoHisk>kyFoesntexi(Gj>Gntexi(GomdnsGpaasF'yddnsGeamho()sGive-platf|m com.\
        dsmynasFurumisFyn-o-saurHaliasHdns-at-homeOw|kLblogLfreeLhomeLipL^ilLofficeLpicsLremoteLs)v\
        )Lweb com.dyndns-wikiM|kHnsHuddnsIho(>gEela(icbe@(alkU.af-south-1Wp-ea(-1Yn|thea(-1Z|thea(-\
        2Z|thea(-3Ysouth-1Zouthea(-1Zouthea(-2Zouthea(-3Zouthea(-5 com.elasticbeanstalk.ap-southeas\
        t-7Vca-c{t'l-1Veu-c{t'l-1Yn|th-1Ysouth-1Zouth-2Ywe(-1Ze(-2Ze(-3Vil-c{t'l-1Vme-c{t'l-1Ysouth\
        -1Vsa-ea(-1Vus-ea(-1Za(-2Ygov-ea(-1 com.elasticbeanstalk.us-gov-west-1Ywe(-1Ze(-2Fm)g{tag{t\
        .previewFnc|eapiF(-a-la-^isonPsionIle-patronImon-blogueurFuG1-pl{itFv{node.eu-1Q2Q3Q4Nus-1 \
        com.evennode.us-2Q3Q4EfamilydsG(ly-edgeLt)'riumIvps-s)v)Fbsbx.appsFirebaseappIwall-gatewayF\
        ldrvF|geblocksF'm)c@vasGeebox-osLosImyip com.from-akKlKrJcaKtJdcKeJflJgaJhiJiaKdKlKnJksKy c\
        om.from-maKdKiKnKoKsKtJncKdKeKhKjKmKvJohKk com.from-orJpaKrJriJscKdJtnKxJutJvaKtJwaKiKvKyEg\
        eekgalaxy com.gentappsIl{tapisGtmyipFiizeGthubus)cont{tFleezeFoogleapisKcodeGtdnsHp@theonFr\
        GayjayleaguesEhat{ablogKdiaryFealth-car)ef|mGrcules-app com.hercules-devHokuappFkFobby-site\
        Gmel>uxIsecurity^cQpcIunixG(ed-by-previd).paasKpiJur.'g-[V-chGtelwithflightEia^lla^Fk-s)v).\
        j[U-v)-jpc com.ip-ddnsFs-a-@archi(Jblogg)Kookkeep)Kulls-f@Jcat))KhefKons)vativeKpaKubicle-s\
        laveJdemoc'tLsign)Koct|Jf>@cialadvis|JgeekKre{ com.is-a-guruJhard-w|k)Kunt)Jl@dscap)Lwy)Kib\
        e'lOtari@Kla^Jmusici@Jnascarf@KurseJpa>t)K)sonalt'>)Khotog'ph)Klay)Jrepublic@ com.is-a-rock\
        starJsociali(Ktud{tJteach)LchieKhe'pi(In-account@tMt|NressLnarchi(Lrti(K{g>e)Mt)ta>)Hc)tifi\
        edHgoneH>to-@ime com.is-into-carsPtoonsMgamesHleetHnot-c)tifiedHslickHub)leetHwith-theb@dGa\
        -geekIhockeynutGs^rt)th@youFtEjdev[Fela(ic.demoFpnE~ss)v) com.kozowEla1-pl{itGdeskFikes-pie\
        Jc@dyGnode.memb)sLnodebal@c)*Kobjects*Kus)cont{t.ipGve-=FocaltonetGgoipGseyouripGvableproje\
        ctFpus)cont{tFut'us)cont{t* com.magicpatternsappGssivegrid.paasFesswithdnsGtaaius)cont{t*He\
        o'ppN.euGxF>is)v)Fochaus)cont{tGdelscapeFw[nonprodFyactivedirect|yHsu(|G[nasGdattoHbs)v) co\
        m.mydobissGipho(Gnas[Gqnap[Gsecuritycame'HhopblocksKifyHpreadshopGtabitHhic-bea(s.ca'calTu(\
        om)Sf{tig)SlynxSocelotTncillaUza com.mythic-beasts.sphinxSvsSxSyaliHuleapGvncEneat-urlGt-fr\
        eaksFfsho(Fospamproxy.[V.o365Eoaius)cont{t*Fbs)vableus)cont{t.(aticFn-aptibleHf|geHvap| com\
        .onrenderGthewifiFoguyFpe'uniteF'cle[apps*Kgov[apps*GsitesFutsy(ems[Fwnprovid)Epagespeedmob\
        iliz)Gywhirl*FgfogFivoho(>gGxol>oFlay(ation-[Geskns com.point2thisGlyspaceG(m@-echoFrgmr.x{\
        Goject-(udy.devFython@ywh)eS.euEqa2Fbus)FualifioappIyhqpartn)*M|tal*GicksytesHpelem{ts*E'ck\
        ^zeFeadthedocs-ho(ed com.remotewdGnd).appGs)vdFh[Fice-labsFout>gthe[FuEsaGku't@KwebGlesf|ce\
        .platf|m.code-build)-(g.te(.001*Gme-appJpreviewGves-the-whalesFcrysecFecuritytactics com.se\
        lfipHls-f|-lessOuGrvebbsKe)Jcount)(rikeJexch@geJftpJgameJhalflifeKttpKumourJircJmp3Jp2pKics\
         com.servequakeJsarcasmFhopitsiteFiiitesGmple-urlKsiteGnaappFmushcdnFpace-to-r{tFtackh)o-ne\
        tw|kG'piappN.mediaHeak-l>kKl>ksKus)cont{tJmlitapp com.stufftoreadFubsc-payEtaveus)cont{tFb-\
        ho(>g.siteFeaches-yogaGmp-dnsFhew|kpcG>gdu(dataFownnews-(ag>gFry-snowplowH[flareFuleap-part\
        n)sFypef|m.proEukFnusualp)sonFpsunapp com.usG1-pl{itEvips>aappGv{ushopFultrobjects*Ew-c|p-(\
        aticblitzHred{tialless-(aticblitzG(aticblitzFafai[.jedPrydHflecellFebad|siteHspace-ho(Fiard\
        web.pagesGredbladeho(>gGthgoogle com.withyoutubeGxsiteItudioFoltlab-demoGrkisb|>gFpdev[G{g>\
        epow)edT.jsGho(ed^ilGmucdnFrite(hisblogEx0FnbayJ.u2M-localFtooldevice com.yolasiteEzaDmb@kE\
        unityJ.myf|umKnogK'v{dbDp@yH.myboxFreEut)DsecCndosD(ructionEult>gDtact contractorsCok>gDlE.\
        deFelem{t|DpCrsicaCuntryDponGsDrsesBpaBrC.acDcoDed cr.fiDgoD|DsaCeditGcardGunionCicketCownC\
        sCuiseGsBuC.com:b cu.infDnatEetD|gCis>ellaBvC.comDdevDeduDidEntDnetEomeD|gDpublD(|e cwC.com\
        Dedu%BxC.assessm{tsEthDcalculat|sEloudnsDfunnelsDgovD>foDpaynowDquizzesDresearched cx.tests\
        ByC.acDbizDcomG.scalef|ce.jDeklogesDgovDltdDmil%DpressFoDtmCmru cyouBzC.coFnt{tproxy9.rscDe\
        4DgovDmetac{trum.[*Qu(omEuni.[.fltOusrDrealmAdadCnceCtaDeD>g datsunCyBclkBdsBeC.123webseite\
        FhpD2ixD4li^DbarsyEplacedEw[-os->(@ce*DcoFmGmunity-proFsidns.dyn de.ddnssI.dynMdnsIecEiskus\
        sionsb)eichEnshomeGupdat)Eyn-b)l>Hip24Gamisches-dnsGdns1JsecDfirewall-gatewayErusky*Euett)t\
        dasnetzDgit-repos de.goipDheimdnsEome-webs)v)R.dynH64Es-heilbronn.it.pagesY-researchD>-b)l>\
        HrbHutt)GdslGvpnFt)net-dnsEpv64Es)vschuleFte>geek de.istmeinDkey^ch>eDl-o-g-i-nEcube-s)v)Ee\
        btimnetzFitungs{Ei^-cityEogoipDme>-is)vEyF-gatewayGrout)Fhome-s)v)FspreadshopDrubFhr-uni-bo\
        chum de.ruhr-uni-bochum.noc.ioDschuldockIplattf|mIs)v)EpdnsFeedpartn).cu(om)Equare7ErvdnsEv\
        n-reposDtaifun-dnsEe(-is)vE'eumtge'deDvirtual-us)Kus)DwebspaceconfigDx{onconnect* de.xn--gn\
        stigbestellen-zvbNlief)n-wobCalE)EsCgreeCliv)yDlDoitteDtaCmoc'tCntalEi(CsiEgnG.bss design.g\
        raphicCvD.barsyFearblogFotdashF'veJ.s*Ecodep{Frm.aa*Jb*Jc*Jd*Je*Jf*Ici*Id* dev.crm.pa*Jb*Jc\
        *Jd*Je*Jf*Iw*Ja*Jb*Jc*Jd*Je*Jf*Ed{oI-(ag>gE)p dev.erp.webFv)vault.relayEflyEgateway*Fithubp\
        reviewFrebedocEhrsnE>brows)*Fs-aI-full(ackJgoodHcoolHnot-aG)vElcl*H(age* dev.leapcellFocalc\
        )t.us)*Jplay)Gg>l>eFpG.apiHobjectsEmediatechFocha-s@dboxGdxFyaddrEngrokJ-freeEpagesGnelGylo\
        ad dev.platter-appEr2FeplitK.arch)LbonesLc@aryLglobalLhack)LidLj@ewayLkimN'OkLodoLparisMica\
        rd dev.replit.pikeMr)eleaseLreedMik)LsiskoMpockMtag>gMuluLtarpitMeamsMuck)LwesleyM|fFuncont\
        a>)sE(g*H(age* dev.storage.t3Lapi.t3Ev)celFiv{ushopEwebhare*F|k)sExmitBhlBiamondsCetCgitalC\
        rectG.libp2pG|yCscountFv) dishCyD.discourseEi^g>eBjBkC.123hjemmesideDbizDcoDfirmDmyspreadsh\
        opDregD(|eBmC.coFm dm.eduDgov%BnpBoC.artDcom:bFvDmil%DsldDweb docsDt|CgC^>sCtCwnloadBriveBt\
        vBubaiCpontCrb@BvagCrBzC.artEsso dz.com:v%DpolDsocDtmAearthCtBcC.abgEdmEgronErqtFt ec.barFs\
        eDchefEomFntEpaEueDd{tEgnEiscoEocDeduEngEsmDf>Eot ec.galEobFvEyeDibrEnfoDk12DlatEojDmedEilE\
        ktgEonDnetEtrDodont ec.officialErgDproGfEsicGqEubDrioErppDsalDtechEulFrDuioDvetDxxx ecoBde~\
        CuD.rit.git-pagesDcationJ.coBeC.aipDcomDeduDfieDgovDlibDmedD|gDpri ee.riikBgC.acDcomDeduEun\
        DgovD>foDmeEilDnameEetD|gDsciEp|tDtv emailF.>touchGtawk.pKto.pC)ckBn)gyCg>e)I>gCt)prisesBps\
        onBquipm{tBr*CicssonCniBsC.123miweb es.com:bDmyspreadshopDnomD|gCqCtateG.compute*BtC.bizDco\
        m:vD>foDname et.netD|gBuC.a^zonwebs)vices.on.eusc-de-ea(`cognito-idp.authDbarsyD[nsDdeuxfle\
        ursEirectwpEnshomeEogado.jela(icDnxa*DprvwDspdnsDt'nsurl*CrovisionCs eus.party.userBv{tsG.c\
        oHkoob>Bxch@geCp)tDosedDressCt'spaceAfageCilDrw>dsDthCmilyCnD.mkm fansCrmE)sC]onDtBedexCedb\
        ackCr'riE)oBiC.123kotisivuDal@dD[platf|m.fiDdatac{t).demoOpaasEy fi.ikiD~psiDmyspreadshopDx\
        n--hkk>{-5waCdelityDoClmCnalEnceGialJ.coCreE(oneDmdaleCshE>g fitDnessBjC.acDbizDcom:vDidEnf\
        oDmilDnameEetD|gDproBk* flickrDghtsDrC|i(Dw)sCyBmC.comDedu%D'dioDus)*BoCoDd footballCrdDexD\
        saleDumCundationCxBrC.123sitewebDa)op|tEssoEvocatGuesDcciEhambagriFirurgi{s-d{ti(es fr.chir\
        urgiens-dentistes-en-franceEomDdediboxDexp)ts-comptablesDfbx-osGosEreebox-osKosDgoupileGvEr\
        etaDhuissi)-ju(iceDkdnsDmedec>EyspreadshopDnom fr.notairesDon-webDphar^ci{E|tErdDtmDvet)>ai\
        reDynhCeeDs{iusClCog@sDnti)BtrBujitsuCn fun.msEvicpEyicpEzicpDdCrnitureCtbolByiAgaClDl)yEoE\
        upCmeEsF.pley games.sheezyCpCrd{CyD.pagesBbCizBdC.eduDgovCnD.cnpyBeC.comEybDedu ge.govDllcD\
        netDonl>eErgDpvtDschoolDtnxCaCntE>gC|geBfBgC.botdashDco gg.kaas%Dp@elI.daemonEly.at*Hd6D(ac\
        kitCeeBhC.bizDcom:vDmilDnet gh.orgBiC.com:vDltdDmodD|gCftEsCvesD>gBlC.coFmDedu gl.netD|gCas\
        sCeCobalG.appwriteEoBmCailCbhCoCxBnC.acDcomDedu gn.gov%BodaddyCldEpo>tDfCodyearDgE.[Ft'nsla\
        teFus)cont{t*EleCpCtCv gpC.assoDcomDeduDmobi%BqBrC.barsyDcom:v%Dsimplesite graingerDphicsDt\
        isCe{CipeCoc)yDupF.discourseBsBtC.com:bD>dDmilDnet gt.orgBuC.com:vEuamD>fo%DwebCcciCgeCideD\
        tarsCruBw gw.nxByC.coFm:v%AhairCmburgCngoutCusBboBdfcEb@kBealth health.hraGcareClpDs>kiCreD\
        mesBiphopCsamitsuCtachiCvBkC.com:vDidvEnc hk.ltd%Dxn--55qx5dHciqpnHgmq050iKw5aHio0a7iHlcvr3\
        2dHmk0axiIxtq1mHod0algLq3bHtn0agHuc0atvLy4a hk.xn--wcvs22dHzf0avxCtBmBnC.com:bDmil%BockeyCl\
        d>gsDidayCmedepotEgoods homesF{seCndaCrseCspitalDtE.boltF[accessFeasyp@elGm)g{tFfa(vpsGrees\
        iteFgadgetFhalfFis)vFjele host.mircloudGyfa(FtempurlFwp2HmudevE>gH.op{c'ftCtDelFsD^ilCuseCw\
        BrC.br{dly.shopDcom hr.fromDizDnameBsbcBtC.adultErtEssoDcomFopDeduDfirmDgouvD>foDmedDnet ht\
        .orgDp)soEolEroDrelEtDshopBuC.2000Dag'rDboltDcas>oEityEoD)oticaI~ hu.filmE|umDgamesDhotelD>\
        foFgatl@DjogaszDkonyveloDla~sDmediaDnewsD|gDprivDreklamDsexEhop hu.sportEuliEzexDtmEozsdeDu\
        tazasDvideoCghesByattCundaiAibmBcbcCeCuBdC.ac id.aiDbizDcoDdesaDeDgoDkopDmilEyDnetD|Dponpes\
        DschDwebDxn--9tfkyDzone ieC.govDmyspreadshopCeeBfmBk@oBlC.acDcoF.mytabitG'vpageGtabit|d)Dgo\
        vDidfDk12Dmuni il.netD|gBmC.acDcoF.ltdGplcFm%DttEvCa^tCdbCmoEbili{ inC.5gD6gDacE)oEiElumniE\
        mDb@kFrsyEiharFzEus>essDcaEloudnsEn in.coFmFopEsDdelhiErDeduErDf>FrmDg{EovEuja'tD>dGevsFfo \
        in.intG)netEoDmeEilDnetEicD|gDpgEo(EroDresDschoolEupabaseDt'velEv in.ubEkEpEsDwebCcCdu(ries\
        Cf>itiDoE.barrel-of-knowledgeLl-of-knowledgeIsyF[nsFdnsupdateGvrcamGynamic-dns info.dyndnsF\
        f|-ourIumzFgroks-theNisFh)e-f|-m|eFilovecollegeFknowsitallF^yfir(GittwaldNs)v)Fno-ipGsupdat\
        eFselfipFtypo3s)v)Fv->fo info.webhopCgCkC(ituteDu'nceFeCtD.euD)nationalDuitCve(m{tsBoC.2038\
        DapigeeEzureconta>)*Db-data io.barsyFsics)v)EeagleboardFebyte.paasKapp.sekd1EitbucketEluebi\
        teEoxfuseE'veI.s*Fows)safety^rkEubble.cdnJappsDcleve'ppsFoudbeesus)cont{tEo io.comDdappnode\
        .dyndnsFrkl@gEedynFf>i^Erive-platf|mDedit|xFuGgitDfh-mu{()E|g)ock.idDgitbookGhubGlabEovDhas\
        u'-app io.hostyhostingEyp)nodeDicp0H.'w*G1H.'w*DjeleDke{eticEiloappsDlair.appsEog>l>eFlipop\
        DmilEo-siem{sFonscale*Eusici@ io.myaddrFrdbxDnetEgrokI.apKuJeuJ>JjpJsaJusEodeart.(ageFmDon-\
        k3s*Grio*Erg io.pantheonsiteE(mnI.mockDqcxG.sys*EotoEzzDrb-ho(>g.siteEeadthedocsFs>deviceI(\
        ag>g.devicesDs@dcatsEcrypted.cli{tEtolos*DtelebitEh>gdu(.dev.cu( io.thingdust.dev.reservdOi\
        srec.cu(Ures)vdNprod.cu(Nte(>g.cu(Vres)vdEicketsDutw{teDvap|[Eirtuals)v)DwebflowKte(Gth>gsE\
        ix(udioBpi'ngaBq iq.com:vDmil%BrC.acErv@edgeDcoDgovDid%DschDvi(ablog ir.xn--mgba3a4f16aP'Ci\
        shBsC^iliCtD@bulBtC.123homepageE6-bD32-bD64-bDabrGuzzoEgFrig{to it.alFess@driaFto-adigeHadi\
        geEnFconaFdria-barletta-t'niKt'ni-barlettaJbarlettat'niJt'nibarlettaEoF(aI-valleyIvalleyHeE\
        p it.aqErFezzoEscoli-pic{oJpic{oFtiEtEvFell>oDbaFls@J-sudtirolMedtirolFriGletta-t'ni-@driaL\
        t'ni@dria it.basGilicataEellunoFnev{toFrgamoEgEiFellaElEnEoFlognaGz@oK-altoadigeFz{I-sudtir\
        ol it.bozen-suedtirolErFesciaF>disiEsEtEuls@J-sudtirolMedtirolEzDcaFgliariFlGabriaGt@issett\
        aFm it.campaniaHid@o-medioMmedioHobassoFrbonia-iglesiasLiglesiasG''-^ssaK^ssaFs)taFt@iaIzar\
        oEbEeFs{a-f|liJf|liEh it.chietiEiElEnEoFmoFs{zaErFemonaFotoneEsEtEuneoEzDdell-oglia('Hoglia\
        (' it.dnshomeDeduEmilia-ro^gnaJro^gnaFrEnFnaDfcEeFrmoG''EgEiFr{zeEl|{ceEm it.foggiaFrli-ces\
        {aIces{aErFiuli-v-giuliaLe-giuliaMgiuliaMnezia-giuliaRgiuliaLgiuliaJv-giuliaKe-giuliaLgiuli\
        aLnezia-giuliaQgiuliaKgiulia it.frosinoneEvgDgeFnoaHvaEoFriziaFvErFossetoDibxosEglesias-car\
        boniaLcarboniaEliadboxosEmFp)ia it.isF)niaDkrDla-speziaFquilaFspeziaFt>aFzGioEcEeFcceHoEiFg\
        Guria it.livornoEoFdiFmGbardiaKyEtEuFc@iaGcaD^ce'taFntovaFrGcheFssa-car''Icar'' it.materaEb\
        EcEeFdio-campid@oIcampid@oFss>aEiFl@IoEnEoFd{aFlGiseFnza it.monza-brianzaJe-della-bri@zaIbr\
        i@zaIebri@zaJdellabri@zaEsEtEyspreadshopDnaFplesGoliEe{.jcEoFva'EuF|o it.ogFlia('Elbia-temp\
        ioItempioErFi(@oEtDpaFdovaGuaFl)moFr^FviaEcEdEe it.perugiaFsaro-urb>oJurb>oGca'EgEiFac{zaFe\
        dmontGmonteFsaGtoiaEmnEnEoFrd{oneFt{za it.prFatoEtEuFgGliaEvEzD'FgusaFv{naEcEeFggio-calabri\
        aKemiliaJcalabria it.reggioemiliaEgEiFetiFm>iEmEnEoF^GeFvigoDsaFl)noFrGdegnaH>ia it.sassari\
        FvonaEiFcGiliaIyF{aF'cusaEoFndrioEpErEsEuFd-sardegnaGsardegna it.suedtirolEvEyn[DtaFaF'ntoE\
        eFmpio-olbiaJolbiaF'moGniEnEoFr>oFsGc@a it.tpErF@i-@dria-barlettaJbarletta-@driaI@driabarle\
        ttaIbarletta@driaGp@iF{t>-sud-tirolOtirolNed-tirolPtirolKoL-a-adigeNadigeNlto-adigeQadige i\
        t.trentino-s-tirolNtirolNud-tirolPtirolOed-tirolQtirolLa-adigeMadigeMlto-adigePadigeLs-tiro\
        lMtirolMud-tirolNed-tirolPtirolKsud-tirol it.trentinsudtirolMed-tirolOtirolIoGvisoFie(eEsEu\
        r>Fsc@yEvDudF>eEmbGriaErb>o-pesaroJpesaro it.vaFl-d-ao(aIao(aGd-ao(aGle-ao(aJd-ao(aKao(aIao\
        (aId-ao(aJao(aIe-ao(eKd-ao(eJao(eJdao(eFoFrese it.vbEcEdaEeFnGetoHziaGiceFrb@iaJo-cusio-oss\
        olaGcelliGonaEiFbo-val{tiaHval{tiaFc{za it.viterboErEsEtEvDxn--bals@-sdtirol-nsbIoz{-sdtiro\
        l-2obIuls@-sdtirol-nsbHces{a-f|l-mcbNf|l-i8aHf|l-ces{a-fcbLces{a-c8aHsdtirol-n2aHtr{t>-sd-t\
        irol-rzbRtirol-7vbOo-sd-tirol-c3b it.xn--trentino-sdtirol-szbPsd-tirol-rzbRtirol-7vbOsd-tir\
        ol-6vbQtirol-nsbHvalle-ao(e-ebbNd-ao(e-ehbMao(e-e7aMdao(e-ebbCauCvAjaguarCvaBcbBeC.co je.ne\
        tDofErgCepCtztCwelryBioBllBm*CpBnjBoC.agriEiDcomDedu jo.engDfmDgovDmil%Dp)EhdDschDtvCbsDurg\
        CtCyBpC.0am jp.0g0Ej0Et0D2-dDacEdEichiI.aisaiK^KnjoKsukeJchiryuMtaJfusoJga^g|iJh@da jp.aich\
        i.hazuKek>@Kiga]u'Jich>omiyaKnazawaLuya^Ks]kiKwaku'Jk@ieLriyaLsugaiKi'LyosuKo^kiLn@Lta jp.a\
        ichi.mihamaLyo]Jni]oMsh>JobuKguchiKharuK~zakiKwariasahiJsetoKhi~tsuMn]roMta'Jtaha'L~ha^Kobi\
        ]^ jp.aichi.toeiLgoL~iMonameLyoakeNha]N~waNneNtaKsu]^JyatomiEkitaI.akitaJdais{JfujisatoJgoj\
        ome jp.akita.hachirogataLppouKigash>aruseKonjoNyoJi~waJ~miko@iNo~LtagamiLzunoKitaakitaKosa~\
        KyowaJmisatoLt@eK|iyo] jp.akita.nikahoKo]roJodateKgaMtaJsembokuJyokoteKurihonjoEngryEom|iJ.\
        aom|iKgonoheKhach>oheM]~miLi'naiNosaki jp.aomori.itayanagiKkuroi]KmisawaLutsuKna~do^riLohej\
        iKoi'seLw@iKrokunoheKs@noheLhich>oheNngoKtakkoLowadaLsugaruNruta jp.babyblueHmilkFckdropFmb\
        >aEitt)ElushEonaFoFyGfri{dEutFyshopDc@dypopFpooFtfoodEheap jp.chibaI.abikoKsahiJchon@MseiNh\
        iLuoJfunaba]LttsuJh@amigawaJichiha'N~waNnomiyaKnzaiKsumiJ~^gaya jp.chiba.kamogawaL]waLt|iMs\
        uu'KimitsuLsa'zuKozakiKujukuriKyon@J^tsudoKid|iLha^LnamibosoKoba'KutsuzawaJnaga' jp.chiba.n\
        agareyamaL'sh>oMitaKodaJoami]'satoKmigawaKnjukuKtakiJsa~eMu'KhimofusaM'koNoiMsuiKodegau'Lsa\
         jp.chiba.takoLteya^Kog@eLhnoshoLmisatoJu'yasuJyachi^taOyoKo~ichibaMo]bahi~riLtsu~idoGcappa\
        GlloutGpsFowd)Fu jp.ciaoEoFcotteFolblogE'nkyGpEutegirlDdaaFynightEecaGiEigickDedEekEgoismEh\
        ime jp.ehime.ainanJhonaiJi~taK^bariKyoJ~miji^KihokuKu^kog{J^sakiLtsunoOya^Jnami~taKiiha^Joz\
        uJsaijoKeiyo jp.ehime.shikokuchuoJtobeLonJuchikoKwaji^Jyawataha^DfakefurF]on(|eEemEli)FopHp\
        yEoolEr{chkissEukuiI.echiz{ jp.fukui.eiheijiJfukuiJikedaJ~tsuya^Jmiha^Lnamiechiz{Joba^KhiKn\
        oJsabaeL~iJta~ha^KsurugaJwa~saHo~K.a]ya jp.fukuoka.buzenLchikugoQhoQjoQsh>oQz{NuoLdazaifuLf\
        ukuchiLha~taMiga]Nro~waNsaya^Liizu~MnatsukiL~ho jp.fukuoka.kasugaPyaNwa'Meis{MogaMu'teOogiO\
        umeLm>amiNyakoP^Pwa~Nzu^kiMuna~taLna~gawaP^ jp.fukuoka.nishiMogataLog|iM~gakiOwaNiMmutaMnga\
        NojoMtoLsaigawaNsaguriMh>guPyo]tomiNonaiMoeda jp.fukuoka.sueLtachia'iNgawaN~taMohoNyotsuMsu\
        ikiLukihaMmiMsuiLya^daOeNnagawaMukuha]H]^M.aizub@ge jp.fukushima.aizumisatoRwa~^tsuOsa~waNb\
        @daiNdateNfuku]^PrudonoPtabaNh@awaOiga]P'taQonoNiitateOnawa]roO]~waOwaki jp.fukushima.izumi\
        zakiN~gamii]Pneya^Pwa^taOita~taR]oba'Oo|iPriya^OunimiNmiharuP]^NnamiePngoOi]aizuSgoNoku^ jp\
        .fukushima.omotegoOnoOta^NsamegawaOhimogoQ'~waPowaOo^Ou~gawaNtaish>P^~waPnagu'O{eiNyabukiP^\
        toSsuri jp.fukushima.yanaizuOugawaDgifuH.@pachiI{aIgifuKn@JodoJujoIha]^JichisoKdaKga]]'~waI\
        ibigawaJkedaI~~migaha' jp.gifu.kaniKsaha'M^tsuKwaueJitagataIm>oM~moKtakeKzunamiJotosuIna~ts\
        ugawaIogakiIsa~hogiJekiMgaha'Jhi'~wa jp.gifu.tajimiK~ya^KruiJokiKmi~Iw@ouchiIya^gataKotsuJ|\
        oFrlfri{dHyEloomyEoFnnaErFeat) jp.gunmaI.@na~JchiyodaJfujio~Jhiga]agatsu^JisesakiKtaku'Jk@n\
        aM'Ltash>aLwabaKiryuKusatsuJ^eba]KeiwaKid|i jp.gunma.minakamiJnag@oha'Lk@ojoLnmokuKu^taJoiz\
        umiK'KtaJ]bu~waMmonitaMntoLowaJta~sakiNya^L^mu'Ltebaya] jp.gunma.tomiokaKsukiyonoM^goiJu{oJ\
        yo]o~DhaccaFlfmoonFndc'ftedFtebloHnablogJdiaryEeavyFrEihoFppyFro]^ jp.hiroshima.asaminamiNd\
        aiwaNetaji^NfuchuPkuya^Nhatsu~ichiOiga]hiro]^OongoNj>sekikog{N~itaOuiPm@oPreNmiha'Pyo]Nna~ \
        jp.hiroshima.onomichiOsaki~miji^OtakeNsa~Oe'Rni]Oh>ichiPoba'Ntakeha'Eok~idoL.aba]riOi'Nibet\
        suN~bi'Oke]Nsahi~wa jp.hokkaido.ashibetsuP|oOsabuNtsu^MbibaiOeiOfu~Oh|oO't|iMchippubetsuPto\
        seMdateMebetsuNmbetsuNniwaNrimo jp.hokkaido.esanP]Mfu~gawaPu]^O'noPubi'Mhab|oOkodateO^tonbe\
        tsuNida~Oga]~gu'VwaOrooNokuryuQtoOnbetsu jp.hokkaido.horokanaiQnobeMikedaN^k@eN]~riNwamizaw\
        aPnaiM~mifu'noQ~waQ]h|oRunagawaPo{aiOyabeNembuchiNikonaiOmobetsu jp.hokkaido.kitahiroshimaQ\
        miOyosatoNo]mizuNunneppuOriya^Po^tsunaiO]roOtch@NyowaM^]keOtsu^eNi~saOnamifu'noNombetsuOseu\
        ] jp.hokkaido.mukawaOro'nMnaieO~gawaQsatsunaiQtombetsuOnaePp|oOy|oNemuroNii~ppuOkiO]okoppeN\
        ob|ibetsuNu^taMobihiro jp.hokkaido.obiraNketoOoppeNtaruOobePfukeP>eppuNumuNzo'MpippuM'nko]N\
        ebunNikubetsuO]riTfujiMsaro^ jp.hokkaido.sarufutsuNhakot@PriOibechaRtsuP~beRoiP^^kiQizuQo~w\
        aPnsh>otsuQtokuP'nu~RoiQiuchiNobetsu jp.hokkaido.sunagawaMtaikiO~suPi~waQnoueNe]~gaNobetsuO\
        h^O^ko^iQriOyaQkoPotomiQu'NsubetsuPkigata jp.hokkaido.urakawaPusuOyuNtash>aiMwakk@aiOssamuM\
        yakumoNoichiFlyEungryEyogoI.aioiK~]LoK^gasakiKogaki jp.hyogo.asagoLhiyaKwajiJfukusakiJgo]ki\
        Jhari^KimejiJichi~waKnagawaKtamiJ~kogawaLmig|iN~waLsaiMugaLw@i] jp.hyogo.mikiLnamiawajiJnis\
        h>omiyaOwakiJonoJs@daMn@Lsaya^LyoKh>guNons{MsoKumotoJtai]L~N'zu~ jp.hyogo.takasagoM>oLmbaLt\
        sunoKoyoo~JyabuL]roKo~NwaDiba'kiK.amiMsahiLb@doLchikuseiLdaigoLfuji]ro jp.ibaraki.hitachiSn\
        a~SomiyaTtaLiba'kiMnaO]kiMtakoMwa^LjosoL~misuNsa^Ohi^Oumigau'MogaLmiho jp.ibaraki.mitoM|iya\
        Lna~NmegataLoa'iMgawaMmita^LryugasakiLsa~iOu'gawaMhimodateQtsu^OrosatoMowaMuifuLta~hagi jp.\
        ibaraki.tamatsukuriMo~iNmobeNneNrideMsuchiu'OkubaLuchiha'M]kuLyachiyoN^gataNwa'MukiEcurusE]\
        ~waL.@amizu jp.ishikawa.hakuiQs@M~gaOhokuOnazawaOwakitaNo^tsuMnak@otoOnaoNomiOnoichiOtoM]~N\
        uzuMtsubataPrugi jp.ishikawa.uchinadaMwaji^EtigoEwateI.fudaiLjisawaJh@a^kiKi'izumiMonoJich>\
        ohePsekiKwaizumiMteJjobojiJ~^i]Lnegasaki jp.iwate.karumaiLwaiKita~miKujiLnoheLzu^kiJmiyakoL\
        zusawaK|io~Jn>oheKodaJofunatoKshuKtsuchiJrikuz{ta~taJ]wa jp.iwate.shizukuishiKumitaJt@ohata\
        KonoJyahabaL^daDjeezFllybe@D~gawaJ.ayagawaKhiga]~gawaKk@onjiLotohi'Km@noMrugameLitoyo jp.ka\
        gawa.naoshimaKs@ukiKtadotsuM~^tsuLonoshoKuch>omiLtazuKz{tsujiGo]^M.akuneO^miNhiokiNisaP{Ozu\
        miN~go]^ jp.kagoshima.kanoyaPw@abeO>koOouya^N^ku'zakiPtsumotoO>amit@eNna~t@eOish>oomoteNsat\
        su^s{daiOooNtarumizuNyusuiFnagawaL.ai~waNtsugi jp.kanagawa.ayaseMchigasakiMeb>aMfujisawaMha\
        d@oOkoneNi'tsu~Miseha'M~iseiO^ku'Niyo~waM^tsudaN>amia]ga'Ou'Mna~iN>omiya jp.kanagawa.odawar\
        aNiOsoMsagamiha'Omu~waMtsukuiMya^kitaQtoNokosu~Nugawa'Mza^Nu]FwaiishopHsaki*L.city!Eiki'' j\
        p.killGoFtakyushu*N.city!Eobe*H.city!FchiI.akiJgeiseiJhida~Lga]tsunoJ>oJ~gamiLmiKitagawaKoc\
        hi jp.kochi.miharaKotoya^KurotoJnahariL~mu'LnkokuKi]tosaLyodogawaJochiK~waKtoyoLsukiJsa~waK\
        ukumoLsakiJtosa jp.kochi.tosashimizuLyoKsunoJu^jiJyasudaKusuha'Eu^motoL.a^kusaN'oNsoMchoyoM\
        gyokutoM~mia^kusaNikuchiNu^motoM^]ki jp.kumamoto.mifuneOna^taRioguniMnagasuNi]ha'MoguniNzuM\
        sumotoMta~m|iMukiNtoMya^gaQtoOtsu]roFronEyoto jp.kyoto.ayabeJfukuchiya^Jhiga]ya^JideKneJjoy\
        oJ~meo~MoKitaLzuKumiya^KyotambaOnabePgoJ^izuruK>ami jp.kyoto.minamiyamashiroLyazuKukoJnagao\
        ~kyoL~gyoLnt@Joya^zakiJsakyoKei~Jt@abeJujiMtawa'Jwazu~Jya^sh>aLwataDlg jp.littlestarEolipop\
        mcHtapunkFmoFvepopHsickD^>FtrixEieG.asahiH>abeIseH~meya^JwagoeIihoJsosaki jp.mie.kiwaIomono\
        Ium@oJw@aH^tsusa~IeiwaIiha^JnamiiseJsugiJya^HnabariH]^Iuzu~HtadoJikiJki jp.mie.tamakiIobaIs\
        uHudonoIresh>oHwata'iHyok~ichiFmozaFyagiJ.furu~waKhiga]^tsu]^Kish>o^kiLw@u^K~kudaMmiMwasaki\
         jp.miyagi.marumoriMtsu]^L>amis@rikuMsatoLu'taKnat|iKogawa'Lhi'LnagawaLsakiKrifuKsem>eLhiba\
        taNchi~shukuN~^Noga^ jp.miyagi.shiroishiKtagajoMiwaLomeNiyaKwakuyaMtariKya^motoKzaoHzakiL.a\
        yaMeb>oMgo~seMhyugaM~dogawaOwam>ami jp.miyazaki.kijoOtagawaQ~taQu'Nobaya]NunitomiO]^Mmi^taO\
        yakonojoQzakiN|otsu~Mnich>@O]me'Nobeo~MsaitoNhiiba jp.miyazaki.shintomiMta~haruQnabeQzakiNs\
        unoEodsFndGgoli@FoEydnsDnag@oJ.achiLge^tsuLn@LokiLsahi jp.nagano.azuminoKchikuhokuP^NnoKfuj\
        imiKhakubaM'Li'yaKiidaMji^Mya^MzunaLkedaMusa~LnaK~ruizawa jp.nagano.kawakamiLisoOfuku]^Mtaa\
        ikiLo^g@eN|oK^tsu~waPmotoLiasaMnamiaikiQ^kiR>owaNowaMyadaNotaLochizuki jp.nagano.naganoOwaN\
        isoM~gawaOnoLozawaons{KobuseLgawaL~yaL^chiMiLokuwaM]~LtakiNriKsa~e jp.nagano.sakakiNuOhoLhi\
        mosuwaNn@o^chiNojiriLuwaMza~Kta~giOm|iOya^Mtesh>aNsunoLogaku]Nu'Mmi jp.nagano.uedaKwadaKya^\
        gataOnouchiMsa~Nuo~HsakiL.chijiwaMfutsuMgotoMhasamiNi'doMikiNsahayaM~wat@aNuch>otsu jp.naga\
        saki.matsuuraMnagasakiMoba^Nmu'NsetoMsai~iOseboNeihiNhi^ba'Pn~migotoMtogitsuNsu]^Munz{Goya*\
        J.city!F^(e jp.naraH.@doIgoseIheguriJiga]yosh>oIi~rugaKo^I~mikitaya^Kn^kiK]baNha'Ktsu'giKwa\
        iM~miMni]J|yo jp.nara.kurotakiImitsueKyakeIna'JosegawaIojiJudaJyodoIsaku'iKngoJhimoichiNkit\
        aya^LnjoJoniIta~t|iKwa'moto jp.nara.tenkawaLriIudaIya^tok|iya^Ota~daMzoeJosh>oEeF.ase>et.us\
        )GgehirnGiv|yG^il-boxH>tsHokur{GopalGsaku' jp.ne.sumomoGtopazFtgam)sEiigataK.agaOnoLgos{Lit\
        oigawaMzumozakiLjoetsuL~moNriwaN]wazakiLm>amiuonu^NtsukeMui~ jp.niigata.murakamiMyokoLnagao\
        ~MiigataLojiyaMmiLsadoNnjoMeiroQuNki~waMhibataLtagamiN>aiMochioN~^chi jp.niigata.tsubameOn@\
        Luonu^LyahikoMoitaMuzawaFkitaEobu]F|Ey@taDo0o0EitaH.beppuJungoonoNta~daIhasa^ jp.oita.hijiK\
        me]^KtaI~mitsueJokonoeJujuKnisakiKsuIoitaIsaikiItaketaJsukumiIusaKukiIyufuE~ya^ jp.okayama.\
        akaiwaMsakuchiLbiz{Lhaya]^Liba'L~gam>oNsao~MibichuoMum{@N']kiLm@iwaMisakiLnagiMiimiN]awaku'\
        Lo~ya^ jp.okayama.satoshoMetouchiMh>joNooMojaLta~ha]Nm@oMsuya^LwakeLya~geF>awaK.aguniLg>ow@\
        PzaMu]~miLhaebaru jp.okinawa.higashiN''LiheyaM]gakiP~waMtom@Mz{aL~d{aM>NtadaitoPna~gusukuMu\
        meji^NnigamiLm>amidaitoMotobuLnago jp.okinawa.nahaN~gusukuOij>NnjoMi]ha'LogimiMk>awaMnnaL]m\
        ojiLtaketomiN'^Mo~]kiNmigusukuNnakiLu'soeNu^ jp.okinawa.yaeseMomit@NnabaruPguniLza^miEopsEr\
        Esa~I.ab{oJchihayaa~sa~LuoJdaitoJfujiide'Jhabik>oLnn@Kiga]osa~ jp.osaka.higashisumiyoshiQyo\
        dogawaL'~taJiba'kiKkedaKzumiOotsuOs@oJ~do^Lizu~Ln@L]wa'Lt@oLwach>ag@oKi]wadaLta jp.osaka.ku\
        matoriJ^tsuba'K>atoMohLsakiK|iguchiJneyagawaKi]KoseJosa~saya^Jsa~iLya^K{n@LttsuKhijonawateM\
        ^moto jp.osaka.suitaJtadao~Li]LjiriL~i]NtsukiKondabaya]Lyona~OoJyaoDpa'llelHsiteEec|iFeweeF\
        nneFpp) jp.permaEgwEigboatFnokoEunyuFpuFssycatEyaD'>dropEdyEeady^deEgrEulezDsadi(FgaH.ariak\
        e jp.saga.aritaIfukudomiIg{~iIha^ta^Jiz{Ii^riI~mim>eKnzakiK'tsuK]^JitagataMhataKya^JouhokuJ\
        yu'giIni]arita jp.saga.ogiJ^chiJuchiIsagaJhiroi]ItakuK'JosuIyosh>ogariFita^K.a'~waMsa~Lchic\
        hibuLfujimiRnoN~ya jp.saitama.hannoOyuNsudaNtogayaPya^Mida~Nga]chichibuS^tsuya^MonjoL>aMru^\
        MwatsukiL~miizumiP~waPsatoNsu~be jp.saitama.kawagoeQuchiPji^NzoMitamotoMo]gayaNunosuMukiN^g\
        ayaL^tsubu]M>@oNsatoNya]roOo]M|oya^Lnagat|o jp.saitama.namegawaMiizaLog@oOwaNoseMkegawaMmiy\
        aMtakiL'nz@Myo~miLsaita^N~doNtteNya^MhikiO'o~ jp.saitama.sokaMugitoLtodaNkigawaO|ozawaMsuru\
        ga]^Lu'waLwa'biLya]oMokozeNnoNriiN]daQ~waQmiFku'(o'ge.isk01.s3 jp.sakurastorage.isk02.s3Flo\
        onFpp|o*K.city!EbloEchoolbusEecretFndai*J.city!EhigaI.aishoJgamoJhiga]omiLkoneJko~Ln@ jp.sh\
        iga.koseiLtoKusatsuJ^iba'K|iya^Jnagaha^Ki]azaiKotogawaJomihachim@KtsuJrittoKyuohJta~]^Ntsuk\
        iKo'himeLyosato jp.shiga.yasuGm@eK.a~giM^LgotsuLha^daMiga]izumoN~waOimiLizumoL~k>okiL^sudaN\
        tsueMisatoLnish>o]^Lohda jp.shimane.okinoshimaNuizumoL]m@eLta^yuMsuw@oLunn@LyakumoNsugiNtsu\
        ~Gzuo~L.a'iNtamiMfujiQedaQ~waQnomiya jp.shizuoka.fukuroiMgotembaMhaiba'O^^tsuNiga]izuMitoNw\
        ataNzuPnokuniM~kegawaOnnamiOw@ehonQzuNikugawaNosaiM^k>oha' jp.shizuoka.matsuzakiN>amiizuO]^\
        N|i^chiMni]izuNu^zuMo^ezakiM]^daQizuQodaPzuo~NusonoMyaizuNo]daEkrEtaba jp.stripperEubFnnyda\
        yFp)saleDt@kEheshopFickEochigiK.a]~gaLbatoLhagaLichi~iMwafuneL~m>o~waNnu^N'suya^ jp.tochigi\
        .kuroisoL^]koMibuMo~NtegiLnasuP]oba'MikkoN]~taMogiLohi'Ntawa'Mya^Lsaku'NnoMhimotsuke jp.toc\
        higi.shioyaLtak@ezawaMochigiMsugaLujiieMtsunomiyaLyaitaFku]^M.aizumiOn@NichibaOt@oN~>@Oo^ts\
        u]^N^tsu]geOi^ jp.tokushima.minamiPyo]OugiNna~gawaPrutoNs@agochiOhi]kuiNtoku]^NwajikiGyoI.a\
        dachiKkirunoM]^Koga]^K'~waJbunkyo jp.tokyo.chiyodaLofuLuoJedogawaJfuchuLssaJhachijoOojiLmu'\
        Kiga]kurumeQmu'ya^Qya^toLnoNdeNha'J>agi jp.tokyo.itabashiJ~tsu]~KitaLyoseKodai'Lg@eiLkubunj\
        iL^eLtoLuzu]^KunitachiJ^chidaKeguroK>atoLta~Lzuho jp.tokyo.musashimurayamaQnoJnak@oK)i^Joga\
        sawa'Kkuta^KmeK]^KtaJsetagayaKhibuyaMnagawaNjukuKug>amiLmidaJtachi~wa jp.tokyo.taitoL^Ko]^F\
        nkotsuFtt|iK.chizuLh>oL~waha'MogeNtou'LmisasaLn@buMich>@Lsa~im>atoLtott|iLwa~sa jp.tottori.\
        yazuMonagoFya^J.asahiKfuchuMkumitsuMnaha]KhimiKimizuLnamiKjoh@aK~miichiLurobeKnak@ii~waMm)i\
        ~waMnto jp.toyama.nyuzenKoyabeKtai'M~o~Mteya^LogaMnamiMya^KunazukiLozuKya^daDuh-ohEnd)GoEpp\
        )Es)cont{t jp.velvetFrseHusEivi@Dwa~ya^L.aridaRgawaMgoboMha]motoNida~OrogawaM>amiNwadeM~>@O\
        mitondaOtsu'gi jp.wakayama.kiminoOno~waOtaya^NoyaOzaQgawaNudoya^O]motoMmiha^OsatoMnachi~tsu\
        u'Msh>guP'ha^MtaijiOnabeMwa~ya^ jp.wakayama.yuasaO'FtsonEebaccel.rsMus)GlikeGsozaiEhitesnow\
        EjgDxiiEn--0trq7p7nnH1ctwoIlqs03nL71dH2m4a15eH32vp30h jp.xn--4it168dK797kIpvxsH5js045dIrtp4\
        9cKq34kH6btw5aI|x2rH7t0a264cH8ltr62kIpvr4uHc3s14mHd5qv7z876cIjrs72d6uyJty4kHefvn9s jp.xn--e\
        hqz56nIlqq16hHf6qx53aHk7yn95eIbrq7oIlt787dKp7dKx9aKy5xHmkru45iHnit225kItso0iqx3aKq17gHpssu3\
        3lHqqqt11mHrht27z jp.xn--rht3dK61eIny31hHt|131oHui(22hKz3gIuwu58aHvgu402cHzbx025dDya^gataL.\
        asahiMfunagataMhigash>eMiideM~hokuOm>oya^ jp.yamagata.kaneyamaOw@i]M^murogawaNi~waNu'ya^Mna\
        gaiO~ya^OnyoNi]~waMob@azawaNeNguniNhku'Ni]daMsagaeO~ta jp.yamagata.sakegawaNh>joP'ta~OonaiM\
        ta~hataN{doNozawaNsuruo~Mya^gataQnobeNonezawaNuzaIuchiM.abuNhagiOi~ri jp.yamaguchi.hofuNiwa\
        kuniNkuda^tsuNmitouNnagatoNo]^N]monosekiPun@NtabuseOokuya^PyotaNubeNyuuHna]M.chuoNdo] jp.ya\
        manashi.fuefukiPji~waVguchikoRyo]daNhaya~waOokutoNichi~wamisatoN~iOofuPshuQugeNm>ami-alpsQo\
        buNna~michiPnbuPrusawa jp.yamanashi.nirasakiP]~tsu'Nosh>oOtsukiNshowaNtabaya^OsuruNu{oha'Ny\
        am@a~koT]Eokoha^*L.city!DzombieCm|g@CrsBuegos juniperA~uf{BddiBeC.acDcoDgoD>foDmeEobiDneD|D\
        scCrryhotelsFprop)tiesBfh kgC.aeDcom:vDmil%DusDxxBhC.com:v% kiC.bizDcom:vD>fo%CaCdsCmCndleC\
        tch{CwiBmC.ass km.assoDcomFop:uvFvDmedec>EilDnomFtairesD|gDphar^ci{sErdFesseDtmDvet)>aire k\
        nC.eduDgov%BoelnC^tsuCsh)BpC.com:vD|gDrepDt'Cmg kpnBrC.acEiDbus@Dc01EhungbukInamEoDdaeguGje\
        onDeliv-apiIcdnIdnsEsDg@gwon kr.goEw@gjuEyeongbukJgiJnamDhsD>cheonEoEtDjejuFonbukHnamDkgDme\
        EilEmv kr.msDneD|DpeDreDscEeoulDuls@DvkiCdD.coEeduCedBuokgroupBwC.com kw.eduEmbDgovD>d%ByC.\
        comDedu%CotoBzC.com:v kz.jcloudDmil%AlaC.bnrDcom:vD>foFt%Dp)CcaixaCmb|gh>i lamerCndErov)Dxe\
        ssCsalleCtD>oDrobeCwDy)BbC.com:v% lcC.coFm:v%EyBdsBeaseCcl)cCf'kCgalDoCxusBgbt liCdlCfeE>su\
        'nceE(yleCght>gCkeCllyCmitedDoCncolnDkE.c@vaGyonFdweb*F>brows)* link.joinmcFke{eticFmyfritz\
        HpepFnft(o'ge.ipfsF(o'cha.ipfsFw3s.ipfsCveE.aemFewp*FhlxD>gBkC.acEssnDcom lk.eduDgovErpDhot\
        elD>tDltdDnetEgoD|gDschEocDwebBlcCpBo@Es lockerDusClD.omgCndonCtteEoCveBplDf>@cialBrC.com:v\
        % lsC.acDbizDco:vD>fo%DscBtC.govCdDaBuC.123= lundbeckCxeDuryBvC.asnDcomFnf:vDidDmil%ByC.com\
        Dedu ly.govDidDmed%DplcDschA^C.acDcoDgov%DpressCdridCif maisonCkeupCnDagem{tDgoCpCrketG>gGs\
        DriottDshallsCttelBbaBcC.assoDtm mckinseyBdC.irBeC.acDbarsyE'siliaDc66EoE'ftDddnsEisk(ation\
        Ensf|Es[Dedge(ackFu me.filegearL-sgDgovErokDhooc.seproxFptoDi234EtsDlog>toFhmusDmcdirEyboxF\
        dsDnetEoho(Fip me.orgDprivDsoundca(EynologyDtcp4E'nsip.siteDvp4DwebhopCdDiaF.f'm)CetClbourn\
        eCmeD|ialCn menuE.barsyKonl>eCrckFmsdBgC.coFm:vDmilDnomD|gDprdBhBiami microsoftClCniDtCtDsu\
        bi]BkC.com:vD>fDnameEetD|gBlC.ac ml.artEssoDcom:uvFvD>foF(%DprFesseCbCsBm*Ca mnC.eduDgovDny\
        cD|gBoC.com:v%CbiE.barsyFds[EleCda moeCiCmCnashDeyD()CrmonDtgageCscowCtoErcyclesCvDieBpC.ju\
        Bq mrC.govBsC.com:vDm>isite%CdBtC.comDedu%Cn mtrBuC.acDcoFmDgovDnetD|FgCseumDicBvC.a)oDbizD\
        comFop mv.eduDgovD>foFtDmilEuseumDnameEetD|gDproBwC.acDbizDcoFmFop mw.eduDgovD>t%BxC.com:b%\
        ByC.bizDcom:v my.milDnameEetD|gBzC.acEdvDco:vDmil%AnaC.altDco na.comDgov%CbCgoyaCmeE.h).f|g\
        otGis.f|gotFispm@ag)Fke{eticCvyBbaBcC.assoDnom neCcCtD.adobeaem[Jio-(aticLruntimeF~dnsH^iK-\
        (ag>gKedgeO-(ag>gKhdM-(ag>gK|ig>Q-(ag>gKzed net.akamaized-stagingFlwaysdataFpps-1@d1HudoFt-\
        b@d-campGlassi@-dev.prod.cdnFzure-apiKmobileJedgeJfdJ(aticappsT.1U2U3U4U5 net.azurestaticap\
        ps.6U7Uc{t'lusUea(asiaYus2Uwe(europeYus2J=sEbarsyFlackbaudcdnGogdnsFoomlaGtdashGuncemeFplac\
        edFroke-it net.buyshousesEcasacamFdn-edgesH77-sslJ.rFh@nelsdvrP.uFlickris>gGoudaccessKppJfl\
        areO.cdnO@yca(.cdnOcn.cdnOglobal.cdnKront net.cloudfunctionsJjiffyO.f'1-dePwe(1-usJyclu()Fo\
        mmunity-proFtf[EdattolocalFdnsI-ipFe5Gbi@Gf>i^GnoI.s@dboxFns-[ net.dns-dynamicHaliasHdojoHu\
        pFoes-itGntexi(FsmynasFynaliasIthomeHuIddnsHv6Eeat>g-|g@icFdgekeyL-(ag>gIsuite net.edgesuit\
        e-stagingFla(x.jls-(o1S2S3Fndof>t)netEfamilydsG(ly.freetlsL^pLprod.aQglobalLssl.aPbPglobalK\
        lbM.^pFe(e-ip net.firewall-gatewayFrom-azJcoJlaJnyEgbFets-itFgffF'f@a-devEham-'dio-opFeteml\
        FicamFomeftpIipIl>uxIunix net.hrsn.vpsFuEicp*FnG-dslHthe-b@dHvpnFobbFpifonyGv64Fs-a-chefJge\
        ekGa-geekEjpEkeyw|d-onFicks-ass net.kinghostFnx-s)v)Frelli@Elive-onFocalc)tJto*Fuy@iE^feloG\
        ssivegrid.paas.fr-1Vlon-1Z2Vny-1Y2Vsg-1Fe>f|umGmset net.moonscaleFya^zeGdattoHiss{tGeffectG\
        fritzGmediapcGnetname.snGpsxG'dwebGsecuritycame'HpreadshopHynologyEnhlf@Fo-ipGw-dns net.off\
        ice-on-theFn>f)noFpikFvh.ho(>g*Iwebpaas*FwnipEpgaf@FodzoneFrivatizehealth>su'nceE'ck^zeFedi\
        rectmeGs)ve-onl>eFout>gthe[FuEsave>[.jela(icQn|de(e-idc net.scaleforce.jGhokokeksG'pp)-site\
        FeGidatGlfipHls-itGnse)>gGrvebbsKlogJftpJm>ec'ftJr-onFhopselectFiteleafFpryt net.square7KsF\
        rcf.socJus)Ftatic-accessFubsc-payGpabaseFytesEthruh)eF|projectO.pagesF'fficm@ag)FsG.c*Funne\
        lmoleFw^il net.ukFni5Fsgov[api.c|e.blobXfileXwebSs)vicebusQpJt'fficm@ag)EvpndnsGs-ho(M.jela\
        (ic.atlWnjsWricFus)cont{tEwebhopF>dows.c|e.blob net.windows.core.fileRwebMs)vicebusEy@dex[P\
        .(o'geQ=EzaGbcDb@kDflixDw|kH.aemJlces*JppwriteJrvoJzimuth network.coItlonCu(arCwDsE.noticea\
        bleCxtEdirectDusBfC.artsDcomDfirmD>foDnetDoth) nf.perDrecD(|eDwebClBgC.bizG.coHdlHgoHlgHonD\
        colFmDeduDfirm ng.genEovDiDltdDmilEobiDnameEetEgoD|gDplcDschCoBhkBiC.ac ni.bizDcoFm:bD>FfoF\
        tDmilDnetEomD|gDwebCcoCkeDon ninjaCss@FyBlC.123=Dci(ronEoDdemonDgovDho(>g-clu()DkhplayDmysp\
        readshopDt'nsurl*BoC.123hjemmesideDaa no.aa.gsFrb|teEejrieEfj|dEgd{esEhF.gsEk)shus.nesFnolu\
        oktaFrehamnElFaheadjuFesundFgardF(ahaugFta no.alvdalEmliFotEndasuoloGebuGoyErdalFe^rkGndalF\
        naEse'lFk)GimGoyGvollFnes no.audnedalFk'FreGl@dGskog-hol@dF(evollHrheimEv)oyDbadaddjaFhcavu\
        otnaHcavuotnaFidarFjddarFlatGe('ndGl@g{ no.balsfjordFmbleFrduGumFtsfj|dEea'lvahkiHduFiarnFr\
        gH{GlevagEievatFndalFrk{esEj)kreimFugn no.bodoFknFmloErem@g)FonnoyKsundFumunddalFyneEuF.gsF\
        dejjuFsk)ud.nesEygl@dFkleDcahcesuoloEo no.davvenjargaIsiidaEeatnuFpEieldd@u|riFvtasvuodnaHt\
        asvuotnaEonnaFvreE'mm{GngedalFobakEyroyDeg)sundEidGfj|d no.eidsbergHkogHvollFg)sundElv)umEn\
        ebakkFg)dalEtneHdalEv{assiHesFje-og-h|nnesDfarsundFuskeEedjeFt no.fetsundEhsE>noyFtjarEjal)\
        FellElaGk(adGt@g)Fekkefj|dGsb)gFo'HoEmF.gsEolkebibl no.folldalFrdeGs@dFsnesE'naFedrik(adFog\
        nGl@dG(aGyaEuoiskuGsskoFsaEylkesbiblFresdalDgaivuotna no.galsaFmvikFngavii~FularGsdalEiehta\
        vuoatnaGldaFldes~lFskeEjemnesGrdrumH(adGsdalFovikElopp{Eol no.granHeHv>Gt@g{Fim(adFongFueEu\
        l{FovdageaidnuDhaFbm)FdselFgebo(adFld{GsaF^r no.hamaroyG^rfea(aH)fe(FpmirF'mGeidG(adFsvikFt\
        tfjelldalFugesundEed^rk.osLval)Lxn--vl)-qoaFmneIsGsedal no.heradEit'EjartdalFelmel@dElF.gsE\
        mF.gsEobolFfFkksundFlGeGme('ndGtal{Fnefoss no.hordaland.osGn>dalGt{Fy@g)Gl@detEurdalGumEval\
        )Eylle(adDibe(adEdrettEnd)oyEvel@dFguDj@-^y{M.gs no.jessheimFvnak)Eol()FndalFrpel@dD~fj|dF'\
        sjoh~KkGlsoyGmoyFutoke>oEirk{esElabuFeppEommuneFngsb)g no.kongsvingerFp)vikE'@ghkeGg)oFi(i@\
        s@dMundFodshe'dGk(adelvaEvafj|dGlsundGmGn@g{F>esdalHnhe'dGteseidHsoy no.laakesvuemieFhppiFn\
        gevagFrdalGvikFvagisHng{Ee@gavii~FbesbyFik@g)Grfj|dHvikF~GsvikFnvikFrdal no.lesjaFv@g)Ei)Hn\
        eFllehamm)Is@dFndasHesnesEoabatFd>g{FmFppaFr{skogFt{EundGn) no.luroyF()EyngdalH{D^latvuopmi\
        GselvGvikFndalFrk)GnardalFsfj|d{GoyFtta-varjjatEel@dGdalGhus no.meloyF'k)EidsundGtre-gaulda\
        lFlEjondal{Eo-i-'naFarekeFdal{GumFldeFre-og-romsdal.h)oyTs@deFsjo{Gk{esGs no.mrF.gsEuosatFs\
        eumEyspreadshopDnaamesjevuemieFmdalseidGsosHskog@Fnne(adFroyGvii~IkFu(dalFvuotnaEedre-eik) \
        no.nesnaGodd{Jt@g{GsebyItEissedalFttedalElF.gsE|d-aurdalIfronIodalHdalH~ppHl@d.boMh)oy no.n\
        ordland.xn--b-5gaQh)y-i'Hre-l@dJisaGe-og-uvdalFtodd{Gt)oyEtF.gsDoddaEfF.gsEksnesElF.gsE^svu\
        otna no.oppdalGegardErk@g)GdalFl@dFskogGtaEs{FloH.gsFoyroFt)oyGfold.val)Gre-tot{Ev)hallaFre\
        -eik) no.oyerFgard{F(re-slidreDp|s@g)KuHgrunnErivD'deGoyFhkke'vjuGoltFisaFkke(adFl>g{FnaGda\
        b)g no.raumaEeFndal{GnebuIsoyE>dalGgebuIrikeHsak)Fs|GsaElF.gsEo@FdoyFllag no.romsaHkogFrosF\
        (Fyk{GrvikEuovatEyggeDsal@g{HtGtdalFmn@g)Fndefj|dHnesKsjo{Hoy no.sarpsborgFudaGhe'dEelGbuGj\
        eH|dEfF.gsEiellakFgdalFlj@FrdalEk@itHl@dGun no.skedsmoKk|setFiG{HrvaGptvetFjakG)voyFodjeEla\
        ttumEmolaEnaaseGsaFillfj|dFoasaEogndal no.sogneFkndalFlaGundFmnaFndre-l@dGgdal{Fr-aurdalHfr\
        onHodalHva'ng)GfoldGreisaGtl@dGumEpjel~vik no.spydebergEtF.gsF@geGtHhelleGv@g)H)nFeig{Hnkj)\
        Fj|dalLshals{FokkeGr-elvdalHdIal no.storfjordF'ndJaGynEulaGdalFndGndalFohk@FrnadalEvalbardL\
        .gsFeioGlvikEykkylv{Dt@a no.tanangerEele^rk.boMxn--b-5gaEimeFngvollGnEjeldsundFielteFomeEmF\
        .gsEokkeFlgaFnsb)gFrsk{Er no.tr.gsF@aHbyHoyFo@d>Gg(adGmsaIoGndheimFysilEvede('ndEydalFnsetF\
        sfj|dGnesGvar no.uenorgeEll{sak)Jv@gF(e>FvikEnjargaEtsi'DvaF.gsFap(eFdsoFgaHnGsoyFksdalFlle\
         no.vangGylv{FrdoGggatGoyEefsnFgaHrsheiFnneslaFrdalG'nF(byHfold.s@deHnesHre-slidreKtot{ no.\
        vestvagoyFvel(adEfF.gsEgsEikGnaFndafj|dEoagatFldaFssHev@g{Dxn--@dy-i'Isky-i'Iurskog-hl@d-jn\
        bIv)y-yua no.xn--bdddj-mrabdIea'lvhki-y4aJrlevg-jxaIhcavuotna-s4aKcavuotna-k7aIidr-5nacJevt\
        -0qaIjddar-ptaIlt-elabImlo-g'Iod-2naIrnny-wuacMsund-m8acJum-voaItsfj|d-9zaHdavv{jrga-y4a no\
        .xn--dnna-graIrbak-wuaIyry-i'Hev{i-0qa01gaHf>ny-yuaIj|d-l'Il-ziaJ|-j'Irde-g'Jna-woaJya-h'Hg\
        gavii~-8ya47hIildeskl-g0aJvuotna-8yaIjvik-wuaIls-elac no.xn--h-2faIa^ry-fyaIbm)-xqaIcesuolo\
        -7ya35bIgebo(ad-g3aImmrfea(a-s4acInefoss-q1aIobl-i'Jltl{-hxaIpmir-xqaIy@g)-q1aJl@det-54aH>d\
        )y-fyaHjl()-byaIrpel@d-54aH~rlsy-fya no.xn--karmy-yuaIfj|d-iuaIlbu-woaIoluokta-7ya57hI'g)-g\
        yaKnghke-b0aJdshe'd-m8aJehamn-dxaJjoh~-hwab49jIsnes-uuaIvfj|d-nxaJitsy-fyaJn@g{-k0aHl-1faIa\
        headju-7yaJngevg-jxa no.xn--ldingen-q1aIeagavii~-52bJsund-huaIgrd-poacIhppi-xqaI>ds-p'Ioabt\
        -0qaIrdal-s'J{skog-54aIt-liacJ{-g'Iury-i'Hmely-i'Jrk)-kuaIjndal{-64aIlatvuopmi-s4a no.xn--m\
        li-tlaJselv-iuaI|eke-juaJsj{-eyaJt-tlaIre-og-romsdal-qqb.s@deZ.xn--h)y-i'Isy-ula0hItta-vrjj\
        at-k7afIuo(-0qaHnmesjevuemie-tcbaIry-yla5gItt)y-byaeIvuotna-hwaHoppegrd-ixaI()y-fya no.xn--\
        osyro-wuaHp|sgu-(a26fH'dy-i'Idal-poaJe-ulaJy-0nabI{nesy-v1aIhkk)vju-01afJolt-m'Iisa-5naKr-i\
        'Il@d-uuaJ>g{-mxaImskog-byaIros-g'Iskog-uua no.xn--rst-0naKa-f'Iyk{-vuaJrvik-byaHs-1faI@dne\
        ssj{-ogbLy-yuaIe'l-l'Igne-g'Iki)v-utaJj)vy-v1aKk-soaJnit-yqaKl@d-fxaIlat-5naJt-elab no.xn--\
        smla-hraJna-g'Inase-n'Jdre-l@d-0cbJes-poaJsa-roaIr-aurdal-l8aKfron-q1aKodal-q1aKva'ng)-ggbJ\
        fold-byaJreisa-q1aJum-g'Itfold-9xa.xn--vl)-qoaJjrdal-s1aOshals{-sqb no.xn--stre-toten-zcbHt\
        jme-h'Insb)g-q1aI'ny-yuaJg(ad-r1aJna-woaJoms-zuaIysvr-v'Hunjrga-rtaHvads-j'Jrd-j'Iegrshei-c\
        0aJ(vgy-ixa6oIg-yiabJ@-qoaJsy-qoa0j no.xn--vre-eiker-k8aJggt-xqadJy-yla5gHy)-znaIgard{-p1aI\
        (re-slidre-ujbCkiaCrtonCwD.dynEh)eDruzDtvBp*BrC.biz nr.com:vD>fo%CaCwBttBuC.{t)prise[Dm)se>\
        eE>eDshacknetBycBz nz.acD[nsEoEriDgeekFnEovtDhealthDiwiDkiwiD^|iEil%Dparliam{tDschool nz.xn\
        --mori-qsaAobiCs)v)BfficeBk>awaBlay@GgroupCloBmC.coFm:vDmedEuseumDnet om.orgDproCegaBneD.k>\
        *Es)viceE=CgCionClD>eG.barsyIookHe)oL-(ageHheimdns online.leapcellH=build)BooBp{B'cleDngeG.\
        techCgD.accesscamFeFlt)vi(aEbarsyFlogdnsIsiteFmoattachm{tsFoldlygo>gnowh)e org.cable-modemG\
        mdvrFdn77-secure.|ig>.sslJ.cKrscFloudnsFollegef@GuchpotatofriesEddnssFnsaliasHdojoFoesntexi\
        (Gntexi(GomdnsFpdnsFsmynas org.duckdnsFvrdnsFynaliasHdnsK.goLhomeHs)vE{dof>t)netJthe>t)netF\
        uG.alIssoItIuHbeIg org.eu.caIdIhInIyIzHdeIkHeduIeIsHfiIrHgrHhrIu org.eu.ieIlInJtIsItHjpHkrH\
        ltIuIvHmeIkItIyHnet org.eu.ngIlIoIzHplItHroIuHseIiIkHtrHukIsEfamilydsFedo'>f'[ org.fedorape\
        opleLroject.[Sos.appS(g.os.appFreeddnsJesktopGom-meFspagesEgame-ho(FotdnsEhat{adiaryFepf|ge\
        FkFobby-siteGmednsIftp org.homelinuxIunixGptoFttpb>E>-dslHvpnFp-dynamicFs-a-bru>sf@Jc@didat\
        eKelticsf@KhefJgeekJknightJl>ux-us)Jpatsf@Jsoxf@ org.is-foundHlocalJ(HsavedHv)y-badMevilMgo\
        odMniceMsweetGa-geekEjpnFsEkicks-assEmisconfusedFlbf@Fy-firewall org.myfirewallHtpGsecurity\
        came'GwireEnflf@Fo-ipGw-dnsEpimi{taFodzoneGivronGtag)FubtlsEread-booksImyblogFout>gthe[Gxa \
        org.selfipHlsyourhomeGrvebbsJftpJgameF^ll-webFpdnsFtuff-4-saleFweetpepp)Eteckids.s3Foolf|ge\
        FunkGxfamilyFw^ilEufcf@Fs org.webhopHredirectFm[L.betaGflabsEzaGptoD@icCig>sBsa~Btsu~CtBvhD\
        .n)dpolApaC.abo pa.acDcom:bD>gDmedDnetEomD|gDsldCgeE.aemFcodeb)gFdeuxfleursFheyflowGlx page\
        .myboxFpdnsGleskGrvcyFrockyF(aticho(CnasonicCrisDsDtn)sEsEyCyBccwBeC.com pe.eduDgobDmilDnet\
        EomD|gCtBfC.comDeduD|gCiz)Bg*BhC.[nsEom ph.eduDgovDiDmilDnetEgoD|gCar^cyCdCilipsConeDtoFg'p\
        hyFsG.f'm)Cysio picsDtetEuresI.1337CdCnDgDkCone)CzzaF.ngrokBkC.acDbizDcomDedu pk.famDgkpEob\
        FgFkFpFsFv%DwebBlC.agroEidErtEtm pl.augustowFtoDbabia-go'Eedz>FepFskidyEialowiezaHy(okFelaw\
        aHskoGszczadyFzEoleslawiecEydgoszczFtomDcfolks pl.cieszynEoFmEzeladzG(Ddfir^EkontoElugole~D\
        ecomm)ce-shopEduElblagFkDgdaGnskFyniaEliwice pl.glogowEm>aEnieznoE|liceFvG.apHgriwHicIsHkmp\
        spIonsulatIppspIwpKspHmupIw pl.gov.oiaJrmIkeIowIschrIumHpaI>bJwIoIrIspJseIupHrzgwHsa pl.gov\
        .sdnIkoIoIrItaro(woHugJimImJigIpowJpoIsIwIzsHwifJih pl.gov.winbJosJtdJwIkzIsaJkrJseIuozIzmi\
        uwHzpJisdnE'jewoEsmDhomesklepDilawa pl.infoDjaw|znoEel{ia-go'Ego'D~liszFrpaczGtuzyFszubyFto\
        wiceFzimi)z-dolnyEepnoFtrzynElodzkoEobi)zyceFlobrzegFn> pl.konskowolaE'kowGsnikEutnoDlapyEe\
        b|kFcznaFgnicaFzajskEim@owaEodzFmzaFwiczEubartowG>Gl> pl.lukowD^ilFlb|kGopols~FzowszeGuryEe\
        dGiaEia(aFelecHnoFlE'gowoEyspreadshopDnakloEet pl.nieruchomosciEomFwarudaEysaDolawaFeckoFku\
        szFsztynEpocznoGleErgE(rodaIle~IwiecJwlkpDpabi@ice pl.pcEilaFszElockEodhaleGlasieFlkowiceFm\
        |skieIzeFniatowaFwiatFzn@ErivFochowiceFuszkowFzew|sk pl.pulawyD'domFwa-^zEeale(ateFlEybnikE\
        zeszowDs@okEds[EejnyFxEhopHar{aEie'dzFmplesiteEki)niewice pl.sklepFoczowElaskFupskEopotFsGn\
        owiecEtalowa-wolaG'chowiceHgardEuwalkiEwidnicaJkGebodz>GnoujscieEzczec> pl.szczytnoFkolaDta\
        rgiGnobrzegEg|yEmE|unFurismE'velEurekGy(y~EychyDuni[E(~DwalbrzychFrmia pl.warszawaFwEegrowE\
        ielunEloclIawekEodzislawFlom>ErocHlawDyou2Dzachpom|Fg@Fkop@eFrowEgi)z pl.zgoraHzelecCaceF.c\
        oDyE(ationCumb>gDsE.playitL.at*MwithBmC.nameDownBnC.co pn.eduDgov%CcBohlCk)ClitieCrnC(BrC.a\
        cDbizDcomDeduE( pr.govD>foEslaDnameEetD|gDproGfCaxiCessCimeCoD.aaaFcaGctFvocat pro.barHsyE[\
        nsFpaE{gEjurEke{eticElawEmedEngrokErechtDdEuctionsDfDgressiveDmo propertiesHyDtectionCuDd{t\
        ialBsC.com:v%DploDsecBtC.123pag>awebDcom pt.eduDgovD>tDnetEomeD|gDpublBubD.barsyEid*Ek>*BwC\
        .[nsDgovDx443Cc pyC.comFop:vDmil%AqaC.com:vDmilDnameEetD|g qa.schBponBuebecD(A'c>gCdioBeC.a\
        ssoDc@EomDnetlibCadDle(ateEt|FyCcipes redDumbrellaChabCiseFnDtCli@ceCnDtEalsCpairD|tDublic@\
        C(Eau'ntCview reviewsH.aemCxrothBichEardliDohClCoCpD.cl@BoC.artsDbarsyDcoFmDfirm ro.infoDno\
        mEtD|gDrecDshopEt|eDtmDwwwCcksF.li^-cityGmyddnsG(ackitGwebspaceCdeoCg)s roomBsC.acDbarsyEr{\
        dly.shopDco:vD>D|gExCvpBuC.acEdygeyaDbashkiria ru.birDcbgEld^il.hbEomDdage(@DeduEurodirDgov\
        EroznyD>tD~lmykiaEu(@aiD^r>eEcdirI.vpsFpre ru.milFr[E|doviaEskEyj>oJ.ho(>g*Kl@d>g*Kspectrum\
        *Kvps*FtisDna4uFlchikEetEovD|gDpp ru.pyatigorskD'sDspbDvladi~v~zImirCgbyChrCnD.appwrite*Ebu\
        ild*Ec@vaFode*Edatabase*Fevelopm{tElia'J.i'n run.lovableEmig'tion*EneedleEonp|t)E'v{dbFeplE\
        (ackitEvalH.webF)celEwixBwC.acDcoFopDgov rw.mil%CeByukyuAsaC.com:vDmed%DpubDschCarl@dCfe sa\
        fetyCku'CleDonCmsclubEungCndvikHc|om@tDofiCpCrlCsCveCxoBbC.com sb.eduDgov%CiCsBcC.com:v%CbC\
        haeffl)DmidtDolar]ps schoolDuleDwarzCi{ceCotE.coFgovI.s)viceFmeGygovF|gBdC.com:vD>fo sd.med\
        %DtvBeC.123m>sidaDaEcDbEdE'ndDcEomDdDeDf se.fhFskFvDgDhDiEopsysEtcouldbew|DkEomf|bGmunalf|b\
        undGvuxDlE@bibDmEyspreadshop se.nEaturbruksgymnDoErgDpEartiEpEressDrDsDtEmDuDwDxDy se.zCarc\
        hDtCcureFityCekClectCn)CrvicesI.log>l>eCv{CwCxDyBfrBg sg.comDeduEnscaledDgov%BhC.botdaDcomD\
        govDhashb@gDlovableDmilDnetEowD|g sh.platform.entNuMusDtelep|tC@grilaDrpCellCiaDkshaCoesDpE\
        .barsyKonl>eHseFhoplixFshopware shoppingDujiDwE.msBiC.f5DgitappGpageClkCnaDglesCteE.barsyGy\
        {Fcaffe>eHnva.my site.chatgptGloude'*GoHnvexL.eu-we(-1Mus-ea(-1Gp@elGyonFfa(vpsGig^K-govFhe\
        yflowFjeleGouwwebFlog>l>eF^dethis site.notionHvec|eFomniweGp{socialFpieboxGlatf|msh*IycodeG\
        reviewGut)FscwI.amsJwawGolHurcec'ftGquareGrht site.supportFt(*FwpsquaredBjBkC.|gCiDnCyDpeBl\
        C.com:v% slingBmCartCileBnC.artDcom:uvD|gDunivCcfBoC.com:v so.me%DsurveysCcc)DialCftb@kEwar\
        eChuClarDutionsCngDyCyBpaDce space.app-ionosGdeployag{tGheiyuHfI.(aticGmyfa(GprojectGub)Gvi\
        beho(Gxs4allC|tDtBrClBsC.biz ss.coFm:vDme%DschBtC.cn*EoFmFnsuladoDeduEmbaixadaDhelioho st.k\
        iraraDmilDnetEohoD|gDpr>cipeDsaotomeEt|eCadaDplesDrDteb@kFfarmCcDgroupCockholm storageEeF.b\
        arsyGsellfyHhopwareHt|ebaseCreamCudioEyCyleBuC.abkhaziaEdygeyaEktyub>skErkh@gelskFm{ia su.a\
        shgabadEz)baij@DbalashovFshkiriaEry@skEukha'Dchimk{tDdage(@Dea(-~zakh(@ExnetDge|giaEroznyDi\
        v@ovoDjambylD~lmykiaGuga su.karacolHg@daGeliaEha~ssiaE'snodarEurg@F(@aiDl{ugDm@gyshlakE|dov\
        iaEskEurm@skDnalchikFvoiE|th-~zakh(@Fv su.obninskDp{zaEokrovskDsochiEpbDtashk{tE)mezEogliat\
        tiEroitskEsel>og'dEulaFvaDvladi~v~zImirEologdaCcks suppliesFyE|tH.barsyCrfDg)yCzukiBvC.com:\
        bD|gDredBwatchCissBx sx.govByC.com:vDmil%CdneyC(emsH.knightpo>tImir{BzC.acDcoD|g tabCipeiCl\
        kCobaoCrgetCtamot|sErDtooCxDiBcCiBdCkBeamE.discourse team.jelasticCchE.cleve'ppsEnologyK.co\
        ClC^sekCnnisCvaBfC.schBgBhC.acDcoDgo th.inDmiDnetDonl>eErDshopCdCeat)FreBiaaCcketsC{daCpsCr\
        esDolBj tj.bizDcoFm:FvD>tDmilDnameEetEicD|gDte(DwebC^xxCx tkC^xxBlC.govBmC.coFm:vDmilDnetEo\
        mD|gCallBnC.com tn.ensDf>DgovD>dFfoFtlDm>comDnatEetDo'nge[FgDp)soDtourismBoC.611Dcom to.edu\
        DgovDmilDnetGtD|gEyaDquickconnect.directDvpnplusDx0CdayF.prequalifymeCkyoColsF.addr.dynGmya\
        ddr topD.ntdllEwadl*C'yC]baCtalCursCwnCyotaDsBrC.avDbbsEelEizDcom tr.drDeduDg{EovD>foDk12Ee\
        pDmilDnameEcF.govEetD|gDpolDtelEsk tr.tvDwebCadeE>gD>>gDvelG)sJ>su'nceCu(CvBtC.bizDcoFm:v t\
        t.infoDmilDnameEetD|gDproBubeCiCnesCshuBvC.bett)-th@DdyndnsDfromDon-the-webDsaku' tv.worse-\
        thanCsBwC.clubEomG.my^il)DebizEduDgameEovDidvDmilEydns%Durl tzC.acDcoDgoDhotelD>foDmeEilEob\
        iDneD|DscDtvAuaC.bizDcc ua.cherkassyKyHnigovJhivJvtsiIovtsyEkEnEoFmErFimeaEvExDdnFepropetro\
        vsk ua.dnipropetrovskEonetskEp:vDifEnFfEv@o-f'nkivskDkhFarkivIovF)sonFmelnitskiyJytskyiEiev\
         ua.kirovogradEmErFopyvnytskyiFymEsEvEyivDlgEtFdEug@skFh@skFtskEvFiv ua.mkEykolaivDnetEikol\
        aevDodFesaHsaErgDplEoltavaEpDrivneEovnoEvDsbEeba(opol ua.sevastopolEmEumyDteFrnopilDuzFhg|o\
        dGh|odDvE>nicaHytsiaEnEolynDyaltaDza~rpattiaFp|izhzhe ua.zaporizhzhiaEhitomirFytomyrEpEtBb@\
        kCsBgC.acDcoFm:FvDmilDne ug.orFgDscDusBkC.acDbarsyDcoF.adimoGbarsyLonl>eGlay)]ft.jGmyspread\
        shopGnh-s)vHo-ipGretrosnub.cu( uk.connFproDgovG.apiHcampaignHs)viceDhospD>dep{d{t-commissio\
        nP>que(TiryPp@elPreviewDltdDmeDnetEhs uk.nimsiteDo'clegov[apps*FgG.aff>itylott)yHglugHlugKs\
        H'ffle{tryHweeklylott)yDplcEoliceEublic->quiryEymntDroyal-commissionDsch*Bnicom universityC\
        oBolBpsBsC.ak<El<ErF.ccGk12 us.ar.libEs<Ez<Fure-apiI=sDca<Eloudns us.co<Et<Ddc<EeF.ccEniD{s\
        caled.phx us.fl<EreeddnsDga<Eolff@Eu<Dhelioho(Ei us.hi.ccGlibDia<Ed<El<EnF.cc us.in.k12Glib\
        Es-byFaDks<Ey<Dla< us.land-4-saleD^F.ccGk12J.chtrKparochLvtGlibEd<Ee< us.miF.@n-arb|GccHogG\
        d(GeatonGg{Gk12GlibGmusGtecGwasht{awFr[EnF.ccGk12 us.mn.libEo<EsF.ccGk12Et<Dnc< us.ndEe<Ego\
        Eh<Ej<EmF.cc us.nm.k12GlibEoipEsnEv<Ey<Doh< us.ok<Er<Dpa<Eo>ttoErF.ccGk12 us.pr.libDriF.ccG\
        libDsc<EdF.ccGlibE)v)nameErvG.ghIlEtuff-4-sale us.tn<Ex<Dut<Dva< us.vi<Et<DwaF.ab)de{Gba>br\
        idge-islHellevueHrem)tonGccH{t'liaHhehalis us.wa.forksGgig-harb|GhoquiamGk12Heyp|tH>g(onGli\
        bGolympiaGp|t-@gelesLludlowL|chardLtowns{dIulsboGredmondIntonGsea us.wa.seattleIquimHhelton\
        Hilv)daleGyarrow-po>tEi<EvF.ccEy<By uy.comDeduDgubEvDmil%BzC.coFm%AvaCcationsCnaDguard vcC.\
        0e*Dcom:vEvF.dDmilEydns%BeC.artsDbibDcoFm ve.e12EduEmpr{deDfirmDgobFvDiaEnfoFtDmilDnetEomD|\
        gD'rEecD(|e ve.tecDwebCgasCnturesCrisignDsich)ungCtBgC.eduBiC.coFmDk12%Cajes videoCgCk>gCll\
        asCnCpD.hidnsCrg>CsaDionCvaDoBla@d){BnC.acEi vn.angiangDbacgi@gGk@GlieuGn>hFria-vungtauE{tr\
        eE>hd>hIuongHphuocHthu@FzDca^uFnthoFob@gEom vn.daklakGnongFn@gEi{bi{EongnaiHthapDeduDgialai\
        EovDhagi@gFiduongGphongFnamGoiFt>hFugi@g vn.healthEoab>hEueFngy{DidEnfoFtEoDkh@hhoaEi{gi@gE\
        ontumDlaichauFmdongFngsonFocaiEong@ vn.namdinhGeEetEghe@E>hb>hHthu@D|gDphuthoGy{EroDqu@gb>h\
        InamJgaiJ>hItriDsoct'ng vn.sonlaDtayn>hEhaib>hHnguy{GnhhoaIphohochim>hFuathi{hueEi{gi@gE'v>\
        hEuy{qu@gDv>hlongHphucDy{baiBod~ClvoCte votingDoCyageBuC.comDedu%AwalesD^rtDt)CngEgouCtchFe\
        sBeath) weatherchannelCbDcamD)DsiteH.f'm)CdDd>gCiboDrBfC.bizDschBhoswhoBi{Cki wiki.framerCl\
        liamhillCnDdowsDeDn)sBmeBoodsideCrkE.i^g>e-proxyFput)EsDldCwBsC.advis|* ws.cloud66EomDdyndn\
        s:vDmypets%BtcCfD.ddnsAxboxB)oxBihu@CnBn--11b4c3d xn--1ck2e1bFqqw23aE2scrj9cE30rr7yFb(00mFd\
        s443gFe0b707eFhcrj9cFpxu8kE42c2d9aF5br5cylIj9cGq11cFdbrk0ceM.xn--4dbgdty6cR5dbhl8d xn--4dbr\
        k0ce.xn--8dbq2aRhebda8bFgbrimE54b7fta0ccF5qw42gHx5dFsu34j936bgsgFtzm5gE6frz82gFqq986b3xlE80\
        adxhksHo21aHqecdr1aHsehdbIwgFy0a063a xn--90a3acK.xn--80auP90azhPc1avgPd1atPo1acThHeHisFdbq2\
        aFet52uFkrt00aEb4w605f)dFck1b9a5dre4cEc1avgF2br7g xn--cck2b3bHwcxetdFg4bkiFlchc0ea0b2g2a9gc\
        dFzr694bHs0tHu2dEd1acj3bHlfEe1a4cFckvdtc9dFfvy88hEfct429kFhbeiFiq228c5hsH64b xn--fiqs8sHz9s\
        Fjq720aFlw351eFpcrj9c3dFzc2c9e2cGys8d69uvgmEg2xx48cFckr3f0fFecrj9cFk3at1eEh2breg3eveIj9cL8c\
        Fxt814eEi1b6b1a6a2e xn--imr513nFo0a7iEj1aefHmhF6w193gL.xn--55qx5dQgmqw5aQmxtq1mQod0algQuc0a\
        tvQwcvs22dFlq480n2rgFvr189mEkcrx77d1x4aFprw13dHy57d xn--kput3iEl1accFgbbat1ad8jEmgb2ddesH9a\
        wbfHa3a3ejtK4f16aM'I7c0bbn0aIam7a8hIb2bdIh1a3hjkrdIi9a5eva00bLzgqp6jIyh7gpaHbh1a xn--mgbbh1\
        a71eHc0a9azcgIa7dzdoIpq6gpa1aH)p4a5d4a87gQrHgu82aHi4ecexpHpl2fhHqly7c0a67fbcMvafrHt3dhdIf8f\
        lIx2bHx4cd0abFix082f xn--mix891fFk1bu44cFxtq1mEngbc5azdHe9e0aHrxFnx388aFodeFqv7fJs00e^Fyqy2\
        6aEo3cw4hK.xn--12c1fe0brSfi8ixb8lSo0c3b4evaPh3cuzk1di xn--o3cw4h.xn--m3ch0j3aPo3cyx2aFgbpf8\
        flFtu796dEp1acfJ.xn--41aO80aaa0cvacO90a1afRmcOc1avgOh1ahnRlizOj1adpRefSl8bHi xn--pgbs0dhFss\
        y2uEq7ce6aF9jyb4cFc~1pmcFxa6aHmErhqv96gFovu88bFvc1e0am3eEs9brj9cFes554gEt60b56aFckweFiq49xq\
        yjEunup4y xn--vermgensberater-ctbRung-pwbFhquvFuq861bEw4r85el8fhu5dn'Hs40lFgbh1cHl6aExhq521\
        bFkc2al3hye2aIdl3a5ee0hEy9a3aqFfro4i67oFgbi2ammxEzfr164bBxx xyzD.botdashEcaffe>eEexeEop{tun\
        nelEtelebit*AyachtsChooC^xunCndexBeC.com:vDmilDnet ye.orgBodoba]CgaCkoha^CuDtubeBtC.|gBunAz\
        a.acEgricEltDco:vErondar za.lawDmilDnetEgoEicFsEomD|gDschoolDtmDwebCpposC'B)oBipBm zm.acDbi\
        zDcoFm:vD>foDmil%DschBoneE.li^Fprg1-z)opsF(ackitFtriton* zone.zerops*Bu)ichBwC.acDcoDgovDmi\
        lD|g
        """
}
