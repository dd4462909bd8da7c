// Written by `Scripts/idna-tables`; not to be edited.
//
// Sources (https://www.unicode.org/Public/):
// IdnaMappingTable.txt, Version: 15.1.0, Date: 2023-08-10, 22:32:27 GMT,
//   SHA-256 402cbd285f1f952fcd0834b63541d54f69d3d8f1b8f8599bf71a1a14935f82c4;
// UnicodeData.txt,
//   SHA-256 806e9aed65037197f1ec85e12be6e8cd870fc5608b4de0fffd990f689f376a73;
// DerivedNormalizationProps.txt, Date: 2022-04-02, 01:29:03 GMT,
//   SHA-256 d5687a48c95c7d6e1ec59cb29c0f2e8b052018eb069a4371b7368d0561e12a29;
// ArabicShaping.txt, the same from version 14.0 to 15.1, as far as the script has it.
// © Unicode, Inc. Unicode License (https://www.unicode.org/license.txt).

/// Packed tables: see ``ScalarMapping``, ``ScalarClasses`` and ``Normalization``.
enum UnicodeTables {
    static let mappings = """
        ;:{'tpJQ$_B-{6px7$7%N3x:jFc0Gk]_hVwn%'#_ov(UL`,=X0n_LUXl22&i.^_x7o)=D*vD,3GnEQu7q$J2$BX.L:{\
        4qm%S#ax4,q9#zY9XnJ?KpiZ79Ljd<RV)LQQt-JS:[{-%6z1uhY^{_zeIv%t6[RW'=H-#p^~=YLul6URxZJF[zM84s9\
        ~bhaR}vs&LK$>1mXw6pz3MX;IxV<9h5+15S<`^P5L#^CzvQ~8~6>uof]m.M5}nEu.}I;qVeg]Ufe&TsPA/-O9Hby_W[\
        [nFM/IBTHHg;9;-d.}f<fgGY}0f98WY^K)uG.a3Ckb[.Dr^@@RDmkF+36LPn5-i=ZPykij/m<csx[zUz$,s.knmhpO[\
        1Y(ih#N8bSJ3spBym@2?DoTI*oadFgPbd:W*>T2?(=?*l]#gk}k(cO'MQJ4MzI^6Ez4gi(IkNEA|J~<;#W0)`?:NJ6_\
        ku(*R3hZj1;N'(r@1abe*PR.FzM',xo0z$Y0`[UQkpJ/-~~5GqG<LKvR=q8%ATVAl[F40n^QUtAJm:4nG=$8>W{AED[\
        dJbu_iHPj|]Tjvw3#Tp117Wvr|Vz$mIa>tjNL,|;8Uwf(Q6HM~h$Ucal*xqx`&Bxm5La&q3'}J^D.v(HOH`|)}u$c?}\
        Qq?Zv5OK*.syKgJy8j4M01.m}FXIo+;P`1,R;+?'wWx&E/9:UDO_v1,1,UC%w4A|CFT*AhXt}'SHgVW8r>TQCqKcm?8\
        Ttnq8k>zBuxh.hGj{%CO5TXsanpvVfdw#<Ud5bd`^wk__~*,LhM6=6TWMMjz3cV-:>fzaT4wUE$p>)db^UW[H;*1+y?\
        w7ln%?NA}/aBcKA/-RD[3FY7-0yf'|DQo*`F79~v%Cr{t1[>&cf8f?JVhOHnmiov4O;P6MLEY)W2I1Wf]`#GX7T>PX+\
        6g|+^UTFbG),UD/+FEA;%s$sU^lL@gL#uEn2QgngrtzO9F)%p9[&^,'0vbG`4P0(}[*:,t@4)GjTH<F#)CY4(DZ@zxH\
        CMo'UXn~a[|J*?M03?nFCy7u{iDBhqG|(=UH)`0qmF^B~V9v^/hq1-z(]_#90@f6[fynQnU4ddhCj=w3n?a+UK-/KX`\
        )9:o@w2KO|_Do&Zh#Y1QE[,9)~nC);~),AN,LG]wg3i[6&+.U^:}O<m0i#h@eQnjDs>^__xBVZ}sQEbMVa?*(oz,|lu\
        %^%IT;nq%s7K<H9p<BIs~SR4.rN.32x[~beJeP#4N{FLLdK^Ap72fSLM0-/sC[vYxqSrW>n@AGAjITFRh7(C(LO_7wE\
        S0ovR-eULjquafu1>},eLGD3*&Kv)[,<OxkvmsX`d|ivFc1KyV(l1=jK;zH8k9k'iumyhkUyofNO4z=Ih#A2*@Km~O&\
        .:jMv`N+CC]ruZRHJ86fLT6+Q%WGam64NQA;aXt@.-U:KH7P_y[Q;k6&U/n1$D~(jS<B+Ki=IJ|I#KoriI-myv>?vBB\
        79taU??g~a(ooT?OGm+61Ylv8*s1q-bxtoxJ&<D)6aCf=tXLN{rQ6j{k(v_hGE.0[<a,ggQQvXOazSocUhyRX?|K#f2\
        zto[)iJ{Cl^@&hJ%/ncUe7a+7X?,HhnlTj=7uWB*pP3J=^,7sW-zoe$0oUt2@Qr.uRV47n+JJ~b|vlo%QU:Fm.Lw8^s\
        ,,e+f`Kfxi]@49O%'0@u;`C&+P:JG*@Vy;;TpS,SdNb1cDFOLQ.IU~.3XQG.@E{_{Y.qAxU))mDGYYo(i2YNk+iVmry\
        dzPW&iD]u*dM,xJ(W2f3[GixQT>rq{$u}D3@>|3l)whiUPaM8d-tY[w_KWl);ZC5]({[8eVnVq[I4C/.qY34X&7.+q@\
        <~jp6L]J%QAPWoaX8;mreiInr3b.t<2dN`XGsJjyd#&%:-^6%?H%(grU3e^.]Rf3vKVL|3m`pdT`p~;,ZsKeq*1b{Nt\
        uWZO)[lyfI1NHA'snonR~]jqw&,@_%sEavYlo0a@7SgE/ul5MI<NGQ*EWqMRMNt>o7}Q2`gCxzJ2(~[BkM0u%zNO6kP\
        >y=L#m3CWW%p;[Um9JsO^((zwd,T8tHt_EDCPn.YHq[dq&3nm9+607HqAv};F2>Tbo)n+<j~0XGeIx35ZJt`yT0g%+3\
        R*m3D5N@e7QHAm,Wg+-3y@V;KfL30L|Z&i{Ko}0<&&CB?WHIPa=XOk]5R7jm>_MRO'OQ:e7Az26~Mg1~IV;*/o=+X>5\
        VAdU|}p@5_Y~-?82;jC8q/LTt+QR)&[9E,W-b<_RD#,?i0FA0e|ML$NF`cB(~^M|Pj%}lx.1.;a^h``{RMj}<J~8rH)\
        -5d#zK}.Lw3VdQd.7<QnQfGS;%J59r:<h/#&k@9)B3E^u$I8Nd|3b%I5&D''{VCi&f9L:.s|<qx:@J9xlnm~W4U>_Eg\
        kIsCpFnZ$KMn:5g*dq|u-B~hly[Lkf^E3&v,{'5w)txAL.Nt}#sC=CYMg`hSJ5^{AET6O4vN]sK,?_]L*[x6ly}:hj#\
        +`j{<v,j<YWek,hbLKM0_4qK}g98z~6g-O$UGQ*a-Q>:?HWbsKk0o]OpWMMiPy*0EU<3(m'>L2thDd.*rb6#{-(0he,\
        X<dbQOBeF3hh|=$}j_.gG3ujW3Ytte|XX:n6+h9ZPp?6FkzG:2BnZL[j)n'=4#$S&K=hL(w`J>qpGIlRX&FM%?7Y(?z\
        3hu4QB||h6V7rl$$L9/wFf{.Vk|zv4cO=(asRVWXNmNcgGjIa__JA3Es+I-X/=:;c{xB:r9w{(J^GP)a_hd;)rpQ(|q\
        9=OxMq3[Rtl#`*xZ*~)hZI}NP5X*tb3}^t)cjdFsp)5G=4;bw;uu{W#:O%Iz/dnn_t6p:b;z^Kp&|^-|9:32nY`k+,f\
        ze1Sv(SC_':(|%WJt:m&ztwi4MgxYoBg>e:pc}U9PP+4Yg-?Q>x`xJ}[S_@+$L9`qzSpZsKm#)SuC,V-Ycl40_?z4tW\
        f-w>2Obt&wt+Tb&E+@}t<*I;@i:RKA}Yg&,]J>&>M+nc^{gu0T)0labH3Qa<54aK+m;b%;WW1QP7-MYO2X+vxV$(w0K\
        j)fH|CnMH~%9e6LFn@P(=s5#a=aVShV<AVUw:7CF|KvV+5GT-k*9M:k|)62L?xUQt>kE.S{Q;eIueR%<+OerGzFI5E;\
        s&bhK,tY}+_KIEj@dk:lkqqA.JM2MX^);$t_I]Wu9ys2IYkKzHm<PVPgZ,,]%Ea)a(khb}gc15?JIK'R{A|.Z,<Cpq(\
        D4Vg9(G4OB3{|o4=KRZJ(@Hb[8+_)Y-TY8;V'fl^3h:xYs144kfP{]-X?xiML$vLTksDNkIJ`_o;jvBzL*5@r/W3alX\
        P}sX76vBVwf#2,hO@,7Q5LP#Q2K>^-b'(yNA:d5ny@'X81#*V^BnK`ITT?'e{I_(AuKouhg*9.;9jbU,FO3[L/#]]fD\
        Mj@5_0JoT)*pLdBE88D;t3gtfEs#gNd=y^?Z_E#U+e9~c`s.>m`LU?}0cu(I9Km@G5+ca6JVn<nR`;C'=.M|FWuO}$g\
        iH_TT`r]@quWk#HU^$FJGdG=L,/%yz?cG9#Q${LuTG*v0*ofvQ*f,5>f]-Eo%GyDMIz&xf$$i8}HM^v/m2etKYgYTL+\
        cRMXJ}]vd2>ih~<J+v*Aa0mEoa9|=V+ll+]k1HBl/ZmI}Ha+TJrBuxH;.@`Zo#EILA`xva&%}z4eP{oPLzn'NJ-^UY-\
        'ZE.j76rmqti{M_`?chTgTIT7'k7V)=]V1v7IM~&+&6}I6ebuT^U=|wP^^$&lHJ8MGwT1yM;>kCaB`nSF=TeE;)0kbm\
        U:8{LP9:ONNHlL+x^pecu4C{k,^&MY61W#V{>bPf4dre[mzCg%)w~1)2.$w02&Ux&5}~mQ8J-40QLdPKKJH>&FwHCLL\
        k#|;z.{gLi_F.3'|c313*x/gi3o`6XG(C8UsRLkEi^W1[P(.OXhq&UvD?T=fBWkUNhgmqF#A1#iVj7ZBNd2Rnwc-Ih*\
        H8zYT/UI5(_6W1.FKaqfR,g~htQn$Qov_Hj.XGw>H2'+a^TomQon,@W=x63u_ce[mwO#eEcZ/B+-xR,&sok?$A^RS1U\
        :[C,vYHg9|;eZa*$T*MFkGwzG{<uN)e7elk1iB:pZt'RfEz#L1{BX+($Wn~+#koU?-[mO<$hO(|=&$u-8>-*f9Q=<Hw\
        RJ0OiCzb?w~(|7DY3'KD1&{wD0T;WW$3|hCK&W:{kO38gP29LLR(kB)a*[@bIn8f3goRA.xYa)68hyQj];z%8g#~=*r\
        vP^WtMGFcKnQQj=sCE3K_1]'Sg3</F3'5Kh|JY;[s*ID<n5*z<O5l4lk&3R<0gQPup.}(sDyA,VA&*rey6J4I>3_QP<\
        :]|DB0`hGk6V,/0w,nf1Tn/-/h(*ILj^@EVOnN8G[i$.2`%aPYqII}?-1(%C]89'm|f6U9kvyf9}{qiNWl=RQWO$lwm\
        5U:x<U4Hqvxo,Z(~0-/<m$YKo|7z]8R$~-m2F*BJ-BX_RYiP2'hy)Uun*<+f.<B.'7a_A/w_WuOC0=(LpCuN51B}Un8\
        &vgo<A&;zX}Xl}$l4QG$1`l;0T)R`jhT^_L{Bv7uE,G?5y*K.G@FD]|%~'VHv.=B{)xo}v#@ZL|UL{-exzN(mi*oM$d\
        p1PA8A`Z@U2+j>i@~[/`^5v)a,qfRcySDc`k+k5gVq4e5eT|z^Jmq5DulWfor*2sM7CxhT]^pmh5FG$:*A1@*FF_]1k\
        U^F{*xmQGhM|;NTkKUKX/9*:{<69ddhv4*lz6Hk7Qh}fpiaPmo.X|a^=sP{qUD5QrX`&JA1r?g=.f~lY=R5PU>#zyZ*\
        MLS&%F|kMHh'Y(_oc+o{X$9*6ed}^'}G>~0A#%~CB,[f*wfUa)Vud{5Ww9+>85'rWY|UWt8ghGRX#AMG-<V&dmalRSc\
        |-R.H[JW~QPEc7ETo7#%sI3XpoN@U&xa}0zs[G@yQ,n}%qoZ%?Wfz.vh0p^>{`PTM7cQcDs0Ii#<(N3vQoU)|Z69v)p\
        4CX7:It>1/.xwsRkppx1pN?`9{8?38>gClqHD{k*w4_='PqmJ0OiuGYbUH??Q5mW|Ko#u%%{c|>=vM*,]aFsnl-R7=8\
        P|&q^1.b80odk(d,2FwdSJpO<J9w_R462ybv,$u<;n/mm1`[O]*`yL_/HW@H#?O6krA?#IV%Q&fdl7]u*5HyM({XKZc\
        8[XX-_K75UPU%p0U&06K`bi]O;]:otC}i$y5O;6Fm1E0v|laerD18ZxpSv4xplI7]9h/&8]SM(uR]UzGcl?rmw-kV0i\
        Cm-/8#+fzA:~F9OQ>e{nO|1CNjUym,vOxzzcm}_jk~T%V=V%_;819Y)n]qRAM^d5Na'+xpNML4SL[-EoL)R)*34.|t@\
        E>_>h?C0Bd=F)3v:n`&'wH{#uD9z>R6aq]Yb7Q)7zRoNcNURG>pG:>(2Zj7DRnpwsw%X(#c&FB%_lxur2`_vEx$O,C4\
        v@IHG^dPHj|6Jf-)Nd(~EFZw`adD.yVK[@unE5P.<Le4C<&kp>Y=J4ZO=a}A~SVDqayf9Z3ERXZV1+`_Y`$]n7JI<G^\
        EHRHL19l)aGk70]eOktQqxeLXas`nO#g<6sTIP%H)SF9#h#Q<Y'Rsb#vh/4C2TY`(XTyxV=Y7BRnD$Y7kJsV^.0C-'>\
        p`bM/s3SU8*]ep#_]m0q,lqFkmyOVK-SR7<y`jfU+D6@Pf~%@%,hg^b/SB9tF{=~^v%PF[udRF^TQqFJ%y(8%x~^$Hb\
        :Q+p^D~o?Z.%w-<K0SddYt7QYZE;$Y1<U^33H%c(S@rUdtk_w;zP1z'#J@H|FAQlVU[j%EZ#Ff[fTj8xHBku5Sf#vlh\
        q;]dOd?Ed2&YK8HFR$OnSX8@bQ/rxkwIs)B$I@j=e@+)`Yqr<'/Z87O7@dSeK=>7q+b}Gk?:($%~tHH'L91O)|}eB)p\
        DVB/p=fIy>yKaVmdcN*RTF(GGMVpUP5upr;J?yeL24kd0D)pI00|#q:1KPrPW[4ge)rc*1NOpZJkN>oxrRA-ijiy?/X\
        S.F3jF|+j4lHL3O|uj''D`TIa>T>(V3Wy,AP8bMQ,N`<c>qgAiF+5*zf?gPTg>RW+{Y8EXpH}vsT&/(;=?IzOB|4K]8\
        :2FV@bE3T-TyhlOHf@qu0H[XH]:8oB=2CN>XEk&WvCgpnE.s#Lh~G)Lk?>;ErmnOSx|~RpXFZF^7e#+OKhMkKk_s$Hj\
        sWw#|r40qIKcCMc@ehcuc:D<H7NbQ#eeQ7kq?MPd[DD1[)SI+~CKh{+LJ+PpVeh7wA1U*ba+iYa3VzZ`6,()F?6mOva\
        mEZB[7DJiME,%j{Uk{vd+u]]97c?eA,8_KxJ`S|m8.i%hOfOXI}]tga%hB~>%#S^(9m/8lEzO%F;J}Wx9TGp(1Q{Kg-\
        =d6(#N<<z.uNHAPZLkYCLkTbGd9'uTK[,F,>UDo*aCw4pjC#0jBlM7Al+$QTLd}eWQQ6;.ovpQuW>{O={-$(M].(4al\
        1rAw;7}=S#CH9UZ9Ofa'v0CA%;cn/Y.5Xzh`n^u$RH/of`{s;h,L&EFD?C|Pa09QdqKHju2]~8CbT_Lu{:LTG3OW(K,\
        r{Z,z(Z[3aogPJi.'40'hn8P%76nqVe81clWM`wP'dEyr}6'G28',1+1|wo.c&x,jB;ZMVp0aLwe+WeCiMeXk)j6ARU\
        LtF5d2q#?Jh^F,WVQJ$DDmM_37o}e^4RDk9Zq~uh=t`:''uS|G)N`*cK={PCa^k+kLm*E'Vn:~-kj4l+GQd9<M^E73d\
        zk5ONY.VAns-NK;-kz%zwgp1d/iz6{lFV0y2841G.'*R_h)0=YfT^`L|Q.6C'0Q(UB^.Z[NE)h$sG#64W[;W){SL822\
        p|A0~KTe^DM@p|FD=SL:sPPxnFQZ}8`M198CuGEr'F'H/(wwmauCW3{wr%3$L#&>_x65]){j^%zM0{s[ss`Abn|:mo{\
        qh(*w)HxWA}m(P:}Bys%`+d>0+p1U>g<R)NC)65|+yN+u:91^ne5t1jh5pd=h+>%s{7)<ua=UJ;0>EDQ<f2(9}_{vQ|\
        eFSgq::?c2Iw/dn*(#5HJkXfH5oXIwm^im{@^(vDc5KO}i9z[%'D:EwI|>pE'6ci/e?>PrMw(KkquDV@<:9,^uM08?h\
        u?~c`OBg;^QIniA~yXq}LaAK@ZrN7c^^);;w'}dyK6LfYVz+H$n:J>H|lUUN-M}dy)9d#N?yf0@-]NNk0+[:,)-+SM>\
        *]kK,sl5Ow2B3nk)ny4Ql~GYKbCQE:/6&_aw8>YRSSk,j9@t`LU5?iyab49J?^;&^9v+hI^&*s?bMa~zAn1ovX]f1HC\
        1n%K,n`vcD>^,7MN*pSaX`ZJAgk|9kbHvx7M<8#=?k%hjLGF~]:J1i_nds]y`[<>@U1jf?FQRgr+]ia2[3(NbuCG_#7\
        `0*XtJc|Omrj7gy+AMv~:Awbi4dHMI.AiC,.nU`U]KHW+imNqFv_0$26DMj}dAw=X,ajI%n##gSEU^~~^:.p&Z2vQVT\
        dGV}7]e]KNRBFWHmz}V@_XpE8ww|}c''aV{,mzdh)R01wEF4g~zeGX<Q7;p~VYER6ClQ*Ai$]V6/w0aXRUe9O5_iWdU\
        pkIVr{L(gK)Z+VrA|`X^|iMQx6|1/k']*Q'*6eeQ~~,Z3NZ%oaF_{lJ:W?msm[-;}1C&>+W:B)%4:ml@O=^%HJavQ;1\
        DFG&]C8c8_L/n;;}(C(w1k)6dLIZFyQ;y3ORahg?6tjAxuT?vq[bW+E/OqisZMRB)fukp@f?kfJ.g[KCsa14g;@rz'i\
        mCS0rYY56$]2.]7D#)y`ik^#8`86#Q,hRu]hW,ecKl8ci}DEXq+LkQ_7=M4qk+^kq{)TX3$G1q:7Yo^}8U>1nh=7/:9\
        fB,7a<PxfjiaeTHoT3h0:UsY'+/Ax+t1SwYC4f&/&Rj[Z^XADvq#Z%bub[n1;_[o2@Z~oJ(j`'hb'w{ex9:-OL5u'}p\
        LDmc7aEg9s]G{K9Ut/}&sk;Wdcdx-zhdfq4zj5.X44-l~*QJ~jidPzfyH)}@_wE%_j,lQM^N?:;vvSO[^sb=7W/nM]$\
        :v1gXM8STJC65%gQw3LF$@]VQj=A=wWZwPz5AJe#(E,G*jAMP.HyRlVL6l#kng,_g`kl]>7BCV^N^Le/^u>'k.*ri~f\
        kY|d;-E_u.U)o9Mfq*Mi>U7kKA0Rux7N<(IX0GcC&]>P6AQE9smh'S(aZw{W;27eiZXaRbX3EXZGQEn1:[A7X]/RHdI\
        &3X;N$3NSB<%G8B~ZPdz>f4T9=:&7PRo&r@G3]z;Ov(fx8G'@z*6jZBWrmGpxv6[N*c/+ocU]=U}pk#ti-ad'OdG&Z$\
        ?u.AXdBA|p&};3lT4y)*_X?Y=-,.nDSi&/1D6zl'-4V|w*(FNTU|ZNO%O4Oj-l;/Y4)Lv8sU@F(>ch`sB<11*QNr8LC\
        w::x2Cf/M.$L*ZJW>Q.@p?yg_3exGk_lf0MWChTCs'h:?MJT2/EfFBlO)djX)W2:s@u)g)'fWAiY|MrN=nc9Mm71`Vr\
        }8E:0esgbM=-E[eM(VhV#q,Me</33/qSRo+l$TGjK$goiHWC#G<hQ]=@N[W`yeG4}^*3yp2+FYZjiC~n=Pvbdrz_[Za\
        GH$6p%>_au^owSPP|Ct**<l8}/_AehIH7$xt3;u~P+A-jODcu60,zx6pb(#gH||+o]*i5(q:+4mD{>P7r_J'D6Fwi9~\
        c;*|E#gpl_c+S}M1=37i]9j#}~z<P)gjfDd)C;3F{~Awd?Nls4dxG'~Yf/6ny_-BK]v48m|c>l+SnQ-DD|DR*Xn<bak\
        :E:$Ujt.^(=Fc^0>CvN?RN[<-SBQ0(hup|%[:9RxeTcA<+$:_}_j&-G/Y7nTu;]c9Mx9D,rZl}g~2%G~{O,:>S1>Sk:\
        Ig,g-GX%nJW`)%}H><Rn);3Gl_aPbD>HuBDfL_k6`:u7yATYFWq49)@n%YOfQfX^`1*6Dh_E=1?}&9Iyh6Gg:[<9u30\
        9#dl_)t2xqluJ|;g_nxbgM):4hcp%#(`RGM7XXNx,S4+p8_M&f%&8D3+w^|8R-FD{'DpDWhkZt|~EEgxgK6,-MAuo*~\
        ='Ogt}GR3AI[>KJ^>|2`-,>$I*FLNLo$ZFwaktA*01~NY?*'ri;u,W_89'TkP`6-_t,OE'$>y^KTKMhG|huQM@$u5Y6\
        fc=mqYM^&qp9[WzloVDJ)T^zLYZOg'Ok5x)#rEsdpGz691';A_:mC*P4V`{p?,tMj)oC',V=K2=:lf(KzC(i>K%n@$0\
        BXFcoP4](a^{flj9J#TEFwYx=z%fK&3}c$K};+F%sRsk>Iv=]d{9SM%>LogixdmEBkT-g:O%KnIBPP~U*tdm.]iH<}h\
        VYT9EH4%7>te:lv|%E.18bdoSPH=iOhyA]SIjc;N-c@o=&W;MNubEq%p=OU7D@5%[7_|$$J1R.G9_..vX%g}F2kAe]v\
        gMY_1/f|Bx):=hjXD621E44EbzT750)_?xzN1Ft7[GLPeo;fV}h'6rZf$9BfNKN3o]/pKMPNlRYfpcEbTSPl^Vm*<z1\
        %1#P?FJhJZwP7Z_IxG9XQ]8B?)}+_>-CSx~q4dp:qO&ZB+n;)oN31a3yyk>2':7=025Epq8[[_tsX@qv6Rkke'SS?bA\
        F{23_|(E=`0kXc6sPx90M(PlSZ0N@snn@/-;_#lqD7M0x(ip:Jf,mOFcOjwIGcw2Va)0V;;-~Sas:t/kbLw$s).iwLS\
        Fz_5gi]9zM+x>}dfoz=yuz%F]>.2e/`%^aj^/~tWe1b.<@7D05l0=Hn1.whR_K_EX*_jtT/YqgTgv$,fXmEeK4F'BKL\
        {zcr'eSJ_?AY)+D%dP2jgJ$nmDz/d5_F_(W$Jut]<X)/-s~}1`{FOo[u:+,Zb>H=TC].jaWM,%>y/:mKRB&4H&/]8^X\
        a[cJAh&hu8[$~0%mtBbQ&Fic8y+JU}so&+Y9,Ankf^w|~)8Z$vR5f'V2|?z/f;0GiXnGnFU[r?U;3*1`9-[hL&KdLW'\
        2jnvi;sfFr+s311eo^;%5xub{_c2p6b]Ao]VTNLP@)@ZK05fv}T&(]Q-%^Q8w]2/)Ut$G9dm26y*[[-w[]#mS=En9y1\
        V2Q$a,|&GT]4*|$NBcCg%Feu9ks_E($6B^F]L9]Eux$&LxrS|'?^}X)Iq|qgcdFN/nT9wR+(8^@6m&~_?uFchvnHFX?\
        u@iO~3LCy#kV'z045:BnaDl1g0OK&{$Y87;^]O|od9=T-~|X*~J1c@j3cMExnIZL`B_Yna>[xvxXD$)Z+F?u^w,11Yi\
        a2[1=J2K3i&Nf81DA_XpZ(YW?DR{$535WR^dd}%_`DUhs-8ZeU%yB+kQ07fd.+-oA-H/mSJZ65&fnGpgB.6R^%#8BpY\
        ~G~A$mX;4Q|wxwBFnq>*PlzHuJsPv6&XsnDy^F&zWe/^E/Hzp@E-cXyGVVzlmx:S_%|d-&s:[iDUJ>wn]]f8*czc}ud\
        W`v'FlJ0=voENWg.fQXN9-dY}-=bkHAUEQ}K}TL`4{=e&m3PCS_-o+@$Z`JyE:0k{okdeuTT],n%qq_)C&QdQ0lN9f2\
        |3YY=XdxIM|alUXW]BuFoH]&>lDbk=*<~,Fz{Py*K~-<_r8]x}cX27XT@E#Y8^MV6LHZ?sg(c#azVE%`iCSq(]E2dfJ\
        {c.u)P8jL<+jyl/u{TYepPp)Tgg4P_haHazxSNa]B+p>-?p$*{ac~zu&dV1V(jpiPhx[;L'`(%PrsStN3zn%EPwM;a-\
        U+Or]_Rb>Ah+*BZ$`}meCn6_9+ykB3|ZGA(xdjEdi^PyT,zfdXl+`/Cuu1cQ9C,h(n%~JivwRN=@9*lwnw]^k7JA3l6\
        XmKK&fF%?X9G6HE#07uoLMtF}dgc01(qffd]K*m5lUl7KhE3npJTF85wV/)3([K1xwUu7x-al6Q5@``/L)j0MdaAzQ+\
        EnR4`3.yW`r+2VDv6zkR+#<OX]6?6*3,=R@WeY=_4Tg~>M54bTO4*A$N%8E{^:jbjDzR7H6>5IMj>xxw,KWb_dM#y7]\
        ep3<,]WZH#5wmHs4S?;S[w8dXE{S<M4=LH/pg@Q.6)|z9@g</r.=ND|^[SME-vGW[*8<Z9PU0t}Hg]??M-^8or)R%_u\
        {qt{4c@MM31r^+}^kS]{OaTiwj0`r_._.M0Q;oylZ+L&JD~Y-~hY9<(1)Ghu]Lh85QSA~QJ_7[M3F-C{oLZI0rEBam,\
        T>^%0Ed%<i`IOAjl0rBbD$sCm;49P]G:{{e@~B)'s=+%uw1i]Z?X66JyvWaG>6))4[l(28Y}`TE:'~`mZ@<'`N%Z'}F\
        %|A'&{YVtpAmqm4Fdovp]MWO>;u&OQpon~~cPWF];Eu_$qrr#])G3Y3w]2?GnYR:N[B,hsV3V}QJb62^(hbB%/`kk(j\
        @W#M(x'/4:TN*9<z|qrCE$x,ozA@k.7#?':gO|yn;:*=yJH7)hqC7~p2RV$EbzI|i(qSByn]tPsz3a$C)*60xsZ>k1I\
        ipYQ5wI%~EHoaB?wuuxq%}FueMw]PoR]s<.V66~hYb60<)h#Xc/kl}a1k5H
        """

    static let bidiClasses = """
        :{Xti3[}}kj6qQYfb79I@jrM3]VB@|.BxAUY{zE09G6q]2G2_p*jGil9ic`zf7RnAV>(^E8s*FEnsxj>YY0A@u2y_e%\
        {Fvv`/Q@JvZEhU(h19[1'jnqs~sHpfK,>EIpj$]D}`QjdwwCz(+>l8^rPUvgq>'pstt]$s:qo5@dEM&e_sdXAqoi<=N\
        wq*JAt3[|ncIhi3.r&N2LIeOaoazN:TICm~+?bti;$^7{TivV7tD:)C<Njb61[Q,;-k::7mH:%gU[J2&msKG>NQiSa9\
        yZ=:s5GA,KDg<MnY%T>z6&lF[<C=?5ub3G$KghWr2)K2zuoM2|wVuyz0jBb?{O#e}XQUK.Xf0QWT#^kJg-e)]v4,<2>\
        FB[D//1}=tjT%>r/mpY0AS:6bb%sw}@Dtk>}={~r`d@.vv%6L-O/tXj.ZFt>D$8}4(y+boP''ey1vw%1Rf7$D{ja6Zz\
        Y)q+Oe%b.y?ISAK>,Ev>H8Q`3OKQ(3Jojy>Yi2rkADH{N0lY29C7YaRZselbPh3Hna0pq3yiL6INL{*yLh)azEV|Nf1\
        6'Sh[GP/C~/CqI'4f-&ZcPZHdN=p3[G;Tp}23v*`qu0I0S~B`)iA$R_piOeC1/qiERF^njY>#bv4#Ce4GE)ehzkuEWI\
        xtFlP`<QTPF]w`vf=%TR1fj%qIjEQ5RM>n:dN9[TuFR*`%d.UUS]M#UtFr6^wIc{r8NjS(i<uEluS[;HhW.d,=}gjEy\
        E@@G05{gdC..@sHe(i`*x?Fsz~U-kg]?{rP]vP(rAoohl=H>fp/+=hnq4{w+MckX1iH/R9t|Dw&&7e[:BBp_H7GBt'&\
        ]w]{dQ<rOJR'ei5EJ>N>Mz;d`KJ+FShm`J{%y|alKNn]X-k{hMz}h%xto*CF-8F`Kv,+UxV21ML@nm}~93m*1f,G/CU\
        [{iHyCC:~-jV`+0tJDHa|O`C6wB#IkS8mm<0wt59.Kf.SA]U2IT{}ebLAl5MN{~)-M5Nd~k2uJ)/k4:4[5Y28A8N{L(\
        65_EbN1|2qqkdGxvR.83mr]PHi{)0Dr]6J=C1P[%tXV[o,T+dtlq)-_~h9D;AMG=BryR?l[Gvio%g,B^f[I/Mo1:_n?\
        }U1T(?|wv5
        """

    static let joiningTypes = """
        Dj?k<Iv'iWCO_8CcOQEajLbZvec#/3jyWC*Oh8D#lGWm.-a|>:RV,jSCSFuObf:@2wuUFTucL%K&qX'w>K'3a3iO?6Q\
        z$%V0yV+IVTOk1X^l:ut#i_Wf'7FEdn^G*QfpOt@j^iVPJ~ff[Ill|l}|m'L#x%`QE^6:d*xrfZTSQSbNEOz[$&|XDQ\
        P(h]E*bj09&cTn6sDhqAo}8IQOC-,3^w&YtFlnB(Tb;Svt(MkjviF48Sbwf]p(3,{,MCUfJ7aeZ<zMMeT65D|OIXka)\
        [qn;2Y|]_e.>d0l3?E:$F]XQgL:.)F2HbZTp'i?YZXl;HtE6#7JVpv/Zij7[4NSq.*7#<E|P$&Rg_DyA:APl}W5~sk+\
        dQ*QR4LU;aOv:5L#:0UUl?14?rY>a%(gnjrc@KX(euZ6jrP[>(y@WS<Ps_dHriMg?5nB2K3`?iVFB@)Sl7^=C^=W+){\
        t)D}TUH>1@'_@g#>e|3;+qO{IcM.4w|frSF|j5H^NSe[d4'Pf+-`B#HeCl26O5GQ.~T*AMCHazc$DGJHITI`*J-P:gN\
        {m#j|?&AY`t|`)'W_&[w>:l$N)Z(kLTAI$*z/iDPZHZ%RLj?5.Eqvu/?^R5[@IY9i4UkO#KlM4*F{KpXx_{b3R5'hK,\
        F)1X(sS%3y_'/Cg]#@lscy0P}F=$]=n80(x7{f^s7j4kkoWZI|R4ZHh-ymX%P$B`Rz]pYBmE5*SP[e#@{?,E(Gxt+:o\
        JFt+GUL$B{~}kg[kq=S/7NH_Q{EQeD$u__Rs9V+zQkNqdDbbx0cqUWB#E22(8*|irSWot=$^f>heXuYaNPW;{R@dh[=\
        JR<zT^jRgW2Z~i^%9Mwq<5{H@LuLaOUR9$uu7@obx:&f);g;2A8PUIbVj5Y]H;KV>K'4&@2U*H>.U]>TMF
        """

    static let compositions = """
        7#9qM_,*9Y5K<`'x0;v^{kmY'GdH(@)ucjwxNIYv%(+Xj;;CPPNL;cS+*BY0aa?(M#_}`D7_p*N4_8yPXlf*bbJGKI%\
        SRwOZ2pTta`*/f{*+Rh6VK(CmEQJ;X^;|Kl*d_-AE67b:;YHYoGLL,;5,kov)DNPRyKcwWQ1eQul=44#@'/cGM?sA:v\
        *fUl#durO|t@1e3o:sX<$-_?J=K|qM21Sc%cr7_?U%8BF#+[8B6.:Ac0]~6VV5DHPk<SBU(,n2MTan$8L5rs(q>(p#P\
        `3-c#<6%z_*Y&~qIGK0)]Oyf?me]>?sh^9KHZAs$~LR]|M|ru?[%8u2?y_HyN{0ZBdWt4`4%2KHY]6s}Y1Jzbu+~MmW\
        >c<:}Ba#~nr7]+>9`DYfVMD$GjwY;J|K5E|FIBIX|@.k-ySC7sl%GnY+y,88'5poAGl|XuCl|]2YTQnlr2V@j,&IeP$\
        i0/=EWG%-n<`GZH&}b`N02Defh(d$8r8zRFAs<D{-b6?~CA*]xJH,{(10w[~-6QRadcm?<d0r*Lu]45-Dfax+5,j`G/\
        m?5cK)V27`sa@7IA9zty8(qK6*dV5ssb>S:|'9u,8FZTZ]9Or}IlI{-%v4e:nm_:K}xDT,+c0`Sfe^W;kK)Haz<DlaF\
        _.~KhA$CO|QdihYaXzUU{)#BLjKr%TL$JGt'>Odx+Hh|WItxXRr?>eTrY^eHBBfuAP`ei'rX=OWVvY>n)<$QhUKdv{Y\
        D>ol'8(7YVOHxqT|A][RK>01bb2[bEyt{b.pRU7n01c<tx]+?c#8Q+$JJ~f21D2]P4kxZK[(4QZ'MfX24#oIn@M3*T>\
        5^aubSL[l[HNV/RD68NHf}0tT~d.cT8'nQ6-7XaL@#XW#w.P}T8(V`KA$/Vp69kj+IlpO[BO3#Fr;4K&kiS[EoeT9Q,\
        RyqRe$BI>H[Lx%SG*RK-T_@`5M8{{`,lq5-OCoS[w6V/8{x;UG|be8NNSfKKys3*liSCb6=W0i{_~AdDrIv~B'W:Qi2\
        ngv?Bx8cHk_=W{<^A(Ao/mGS?.9#KycB.7{.Z)C:-,}urR_p&sAGvPXngx.U[qRmGVeN'1Vw9_if$ci|8@P(kPHIJz4\
        6p.Ka:0Zt*YmHT(=dQwX7&[Oz3(vp;sU]PRm]T(Y{r7EU:$GRqf*=YDhw]^(w*5vU}JYSp/0D4oMFN.[gKcqUqbE_<Q\
        =enXv&b:`9Qso}hGq'LUH*DR]19aCL5[VblTUa8~*7O7:6Kd{rfFv>)J45t:<%Tq>[lMhJ^V0AGgGsGd<07+DeJBorp\
        vW}[uM`'UToKDnGYdhT<`l$-)W@b#d)@6mNJx3`D_UR2~icYBzDxu<d%RzM.[ioA0O}N-N17$>nWiMTXRygXqxQaeoH\
        ^g<f|@.tD;utnu:MRBL%P($N+GkzZKg^cq_g)sl$Hou+_a^X(cqq7_gkfI'8`0zoOp:,;vGd?W&Iq4?Yz%wve;F_X=J\
        {S:Z*|FiS0rIhS6wkO7`@4_ttGgvv+-jBuC_jop1&^j{FLK>1kI?~Uh:~Z7[F^anY&~@9=0au.4uXr7t[u:rH*~6>q3\
        **0FlUoVuW.m)k0#UFZFa(reh>SNRDP*1={8a|6Z)6x~DzTDGe)S+8wFp,2AD$V_'xc='^As]q0T'S-qPtBqaoH7ibR\
        [C.bfS*>G9Mbn:11{^3Y>?Zf]`;H:|$7xa5dT7uiX~`505L#Y([X)Q)Pe/IU+]s_ImX:;n_{0pnQi~t%p;J8lK0/aXw\
        iSqL=cG<MZy=3OX8$WtZNAd_<qJ,-LSYP55WyhW%%%fe8s^YXjw1Yy,*-5Sb{o`rf?pV8saC#XfY(-yLQ9yZ<Y1n2GT\
        =:isk{*]yE`v%pbT@iEkQ~TvG>4K5_-z(x(dDD=?<l/s(gt2I,luh+*E6fOenFzv,UZkrj%ZN6iGh_iBzuEWK'm]As@\
        Z9LFBFauThAMcqN.Rd84u_bn|ofdeI}z/fAqK3Bf-p)S]L)D0V:^N-5G%3#v%|<YL2=AsX&?,d
        """
}
